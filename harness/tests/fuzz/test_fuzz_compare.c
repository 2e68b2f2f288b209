// SPDX-License-Identifier: MIT
/*
 * Comparing two records of random programs: differences are reported, except noise and numbers that
 * one of the kernels lacks.
 */
#include "fuzz/record.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

/* A record of one program on a kernel that prints these numbers. */
#define RECORD(seed, printed, noise, steps)                                                  \
	"{\"schema\": \"rssck-fuzz/1\", \"printed\": {" printed                              \
	"}, \"programs\": [{\"seed\": " #seed ", \"noise\": {" noise "}, \"steps\": [" steps \
	"]}]}"

#define RSS_AND_SWAP "\"status.VmRSS\": true, \"status.VmSwap\": true"
#define WRITE(pages) "{\"act\": \"write r0 0..7\", \"p0\": {\"status.VmRSS\": " #pages "}}"

struct told {
	struct differences d;
	int failed;
	char why[256];
	char *text;
};

static struct told compare(const char *old, const char *new)
{
	const char *one = folder_put("old", old), *other = folder_put("new", new);
	struct told t = { .d.out = printing() };

	t.failed = records_compare(one, other, &t.d, t.why, sizeof(t.why));
	t.text = printed(t.d.out);
	return t;
}

/* `says` must be in the output; NULL expects no output. */
static void differs(const char *old, const char *new, const char *says)
{
	struct told t = compare(old, new);

	assert_int_equal(t.failed, 0);
	assert_int_equal(t.d.programs, 1);
	assert_int_equal(t.d.differing, says != NULL);
	if (says)
		assert_says(t.text, says);
	else
		assert_string_equal(t.text, "");
}

static void cannot(const char *old, const char *new, const char *because)
{
	struct told t = compare(old, new);

	assert_int_equal(t.failed, -1);
	assert_says(t.why, because);
}

TEST(a_record_equals_itself)
{
	differs(RECORD(7, RSS_AND_SWAP, "", WRITE(32)), RECORD(7, RSS_AND_SWAP, "", WRITE(32)),
		NULL);
}

TEST(the_first_differing_step_and_number_are_reported)
{
	differs(RECORD(7, RSS_AND_SWAP, "", WRITE(32) "," WRITE(4)),
		RECORD(7, RSS_AND_SWAP, "", WRITE(32) "," WRITE(8)),
		"seed 7, step 2 (write r0 0..7), p0: status.VmRSS moved by 4, now by 8");
}

TEST(a_number_that_only_the_newer_kernel_moved_is_reported_as_moved_now)
{
	differs(RECORD(7, RSS_AND_SWAP, "", "{\"act\": \"write r0 0..7\", \"p0\": {}}"),
		RECORD(7, RSS_AND_SWAP, "", WRITE(8)), "status.VmRSS moved by 0, now by 8");
}

#define LAGS(pages) "{\"act\": \"write r0 0..7\", \"p0 unsettled\": {\"status.VmRSS\": " #pages "}}"

TEST(differences_are_listed_by_the_verb_after_which_they_begin)
{
	differs(RECORD(7, RSS_AND_SWAP, "", WRITE(32) "," WRITE(4)),
		RECORD(7, RSS_AND_SWAP, "", WRITE(8) "," WRITE(8)), "\nwrite: status.VmRSS 1\n");
	differs(RECORD(7, RSS_AND_SWAP, "", LAGS(0)), RECORD(7, RSS_AND_SWAP, "", LAGS(8)),
		"\nwrite: status.VmRSS unsettled 1\n");
	/* A number that is noise before settling need not be noise afterwards. */
	differs(RECORD(7, RSS_AND_SWAP, "\"status.VmRSS unsettled\": true", WRITE(4)),
		RECORD(7, RSS_AND_SWAP, "", WRITE(8)), "status.VmRSS moved by 4, now by 8");
}

#define STEP_MOVES(act, pages) "{\"act\": \"" act "\", \"p0\": {\"status.VmRSS\": " #pages "}}"

TEST(later_differences_in_the_same_region_are_not_reported)
{
	differs(RECORD(7, RSS_AND_SWAP, "", WRITE(4) "," STEP_MOVES("madvise r0 0..7 COLD", 0)),
		RECORD(7, RSS_AND_SWAP, "", WRITE(8) "," STEP_MOVES("madvise r0 0..7 COLD", 8)),
		"\nwrite: status.VmRSS 1\n\n");
	differs(RECORD(7, RSS_AND_SWAP, "", WRITE(4) "," STEP_MOVES("madvise r1 0..7 COLD", 0)),
		RECORD(7, RSS_AND_SWAP, "", WRITE(8) "," STEP_MOVES("madvise r1 0..7 COLD", 8)),
		"\nmadvise COLD: status.VmRSS 1\n\n");
	/* Another region maps the same file, so it differs as a consequence and is left out. */
	differs(RECORD(7, RSS_AND_SWAP, "",
		       "{\"act\": \"mmap r0 0..7 again shared to r1\"}," WRITE(4) "," STEP_MOVES(
			       "madvise r1 0..7 COLD", 0)),
		RECORD(7, RSS_AND_SWAP, "",
		       "{\"act\": \"mmap r0 0..7 again shared to r1\"}," WRITE(8) "," STEP_MOVES(
			       "madvise r1 0..7 COLD", 8)),
		"\nwrite: status.VmRSS 1\n\n");
}

TEST(a_difference_that_only_reverses_is_not_reported)
{
	differs(RECORD(7, RSS_AND_SWAP, "", WRITE(4) "," STEP_MOVES("munlockall", -4)),
		RECORD(7, RSS_AND_SWAP, "", WRITE(8) "," STEP_MOVES("munlockall", -8)),
		"\nwrite: status.VmRSS 1\n\n");
	differs(RECORD(7, RSS_AND_SWAP, "", WRITE(4) "," STEP_MOVES("munlockall", 0)),
		RECORD(7, RSS_AND_SWAP, "", WRITE(8) "," STEP_MOVES("munlockall", 8)),
		"\nmunlockall: status.VmRSS 1\n\n");
}

TEST(after_a_call_that_one_kernel_refused_its_region_is_ignored)
{
	differs(RECORD(7, RSS_AND_SWAP, "",
		       "{\"act\": \"mlock r0 0..7\", \"errno\": 12}," WRITE(4)),
		RECORD(7, RSS_AND_SWAP, "", "{\"act\": \"mlock r0 0..7\"}," WRITE(8)),
		"\nmlock: errno 1\n\n");
	differs(RECORD(7, RSS_AND_SWAP, "",
		       "{\"act\": \"mlock r1 0..7\", \"errno\": 12}," WRITE(4)),
		RECORD(7, RSS_AND_SWAP, "", "{\"act\": \"mlock r1 0..7\"}," WRITE(8)),
		"\nwrite: status.VmRSS 1\n\n");
	/* If one kernel refused a fork, the programs differ from there on. */
	differs(RECORD(7, RSS_AND_SWAP, "", "{\"act\": \"fork p1\", \"errno\": 12}," WRITE(4)),
		RECORD(7, RSS_AND_SWAP, "", "{\"act\": \"fork p1\"}," WRITE(8)),
		"\nfork: errno 1\n\n");
	differs(RECORD(7, RSS_AND_SWAP, "",
		       "{\"act\": \"mincore r0 0..7\", \"errno\": 9}," WRITE(4)),
		RECORD(7, RSS_AND_SWAP, "", "{\"act\": \"mincore r0 0..7\"}," WRITE(8)),
		"\nwrite: status.VmRSS 1\n\n");
}

TEST(a_number_that_differs_between_runs_on_one_kernel_is_noise)
{
	differs(RECORD(7, RSS_AND_SWAP, "\"status.VmRSS\": true", WRITE(4)),
		RECORD(7, RSS_AND_SWAP, "", WRITE(8)), NULL);
	differs(RECORD(7, RSS_AND_SWAP, "", WRITE(4)),
		RECORD(7, RSS_AND_SWAP, "\"status.VmRSS\": true", WRITE(8)), NULL);
}

/* VmRSS is noise in two of the three programs of one record. The other record has no noise. */
TEST(noise_in_several_programs_is_noise_in_all)
{
	static const char noisy[] =
		"{\"schema\": \"rssck-fuzz/1\", \"printed\": {\"status.VmRSS\": true}, \"programs\": ["
		"{\"seed\": 1, \"noise\": {\"status.VmRSS\": true}, \"steps\": []},"
		"{\"seed\": 2, \"noise\": {\"status.VmRSS\": true}, \"steps\": []},"
		"{\"seed\": 7, \"noise\": {}, \"steps\": [" WRITE(4) "]}]}";

	differs(noisy, RECORD(7, RSS_AND_SWAP, "", WRITE(8)), NULL);
}

TEST(a_number_that_one_kernel_does_not_print_is_no_difference)
{
	differs(RECORD(7, "\"status.VmSwap\": true", "",
		       "{\"act\": \"write r0 0..7\", \"p0\": {}}"),
		RECORD(7, RSS_AND_SWAP, "", WRITE(8)), NULL);
}

TEST(a_different_errno_is_a_difference)
{
	differs(RECORD(7, RSS_AND_SWAP, "", "{\"act\": \"fork p1\"}"),
		RECORD(7, RSS_AND_SWAP, "", "{\"act\": \"fork p1\", \"errno\": 12}"),
		"(fork p1): errno 0, now 12\n");
}

TEST(a_program_that_ended_early_is_compared_up_to_its_end)
{
	differs(RECORD(7, RSS_AND_SWAP, "", WRITE(4) "," WRITE(4)),
		RECORD(7, RSS_AND_SWAP, "", WRITE(4)), NULL);
}

TEST(incomparable_records_give_a_reason)
{
	cannot(RECORD(7, RSS_AND_SWAP, "", WRITE(4)), "no JSON", "is not a record");
	cannot(RECORD(7, RSS_AND_SWAP, "", WRITE(4)), RECORD(8, RSS_AND_SWAP, "", WRITE(4)),
	       "no seed in common");
	cannot(RECORD(7, RSS_AND_SWAP, "", WRITE(4)),
	       RECORD(7, RSS_AND_SWAP, "", "{\"act\": \"read r0 0..7\"}"),
	       "a different program in each record");
}

TEST(a_record_is_recognised_by_its_schema)
{
	assert_true(record_is_one(folder_put("record", RECORD(7, RSS_AND_SWAP, "", WRITE(4)))));
	assert_false(record_is_one(folder_put("other", "{\"schema\": \"rssck-results/1\"}")));
	assert_false(record_is_one("/nonexistent"));
}
