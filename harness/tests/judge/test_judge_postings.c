// SPDX-License-Identifier: MIT
/*
 * Double entry: for each posting that a case can make, a process has exactly these pages. Then
 * every metric is made wrong by a page.
 */
#include "judge/judge.h"
#include "tests/support/made_trial.h"
#include <sys/sysmacros.h>

enum { N = 16 };

/* The real change: pages in a mapping, or its growth. */
struct change {
	enum made_name where;
	struct made_pages pages;
	int64_t grown;
};

#define GROWN(where, pages)         \
	{                           \
		where, { 0 }, pages \
	}
#define PUT(where, account, pages, attributes, sharers)           \
	{                                                         \
		where, { account, pages, attributes, sharers }, 0 \
	}

struct happening {
	const char *name;
	struct postings postings;
	struct change changes[4];
};

static const struct happening happenings[] = {
	{ "VIRT_DATA", POSTINGS(VIRT_DATA(N)), { GROWN(MADE_ANON, N) } },
	{ "VIRT_STACK", POSTINGS(VIRT_STACK(N)), { GROWN(MADE_STACK, N) } },
	{ "VIRT_EXEC", POSTINGS(VIRT_EXEC(N)), { GROWN(MADE_LIBRARY, N) } },
	{ "VIRT_OTHER, shared", POSTINGS(VIRT_OTHER(N)), { GROWN(MADE_SHMEM, N) } },
	{ "VIRT_OTHER, read-only", POSTINGS(VIRT_OTHER(N)), { GROWN(MADE_HUGE_FILE, N) } },
	{ "VIRT_OTHER, inaccessible", POSTINGS(VIRT_OTHER(N)), { GROWN(MADE_RESERVED, N) } },
	{ "VIRT_LOCKED", POSTINGS(VIRT_DATA(N), VIRT_LOCKED(N)), { GROWN(MADE_LOCKED, N) } },
	{ "ANON_WRITE",
	  POSTINGS(ANON_WRITE(N)),
	  { PUT(MADE_ANON, ACCOUNT_ANON, N, PAGE_DIRTY, 1) } },
	{ "ANON_CLEAN", POSTINGS(ANON_CLEAN(N)), { PUT(MADE_ANON, ACCOUNT_ANON, N, 0, 1) } },
	{ "FILE_READ", POSTINGS(FILE_READ(N)), { PUT(MADE_FILE, ACCOUNT_FILE, N, 0, 1) } },
	{ "FILE_WRITE",
	  POSTINGS(FILE_WRITE(N)),
	  { PUT(MADE_FILE, ACCOUNT_FILE, N, PAGE_DIRTY, 1) } },
	{ "SHMEM_READ", POSTINGS(SHMEM_READ(N)), { PUT(MADE_SHMEM, ACCOUNT_SHMEM, N, 0, 1) } },
	{ "SHMEM_WRITE",
	  POSTINGS(SHMEM_WRITE(N)),
	  { PUT(MADE_SHMEM, ACCOUNT_SHMEM, N, PAGE_DIRTY, 1) } },
	{ "ZERO_READ", POSTINGS(ZERO_READ(N)), { PUT(MADE_ANON, ACCOUNT_ZERO, N, 0, 0) } },
	{ "FILE_TO_ANON",
	  POSTINGS(FILE_TO_ANON(N)),
	  { PUT(MADE_FILE, ACCOUNT_FILE, -N, 0, 1),
	    PUT(MADE_FILE, ACCOUNT_ANON, N, PAGE_DIRTY, 1) } },
	{ "SHMEM_TO_ANON",
	  POSTINGS(SHMEM_TO_ANON(N)),
	  { PUT(MADE_SHMEM, ACCOUNT_SHMEM, -N, PAGE_DIRTY, 1),
	    PUT(MADE_SHMEM, ACCOUNT_ANON, N, PAGE_DIRTY, 1) } },
	{ "ZERO_TO_ANON",
	  POSTINGS(ZERO_TO_ANON(5)),
	  { PUT(MADE_ANON, ACCOUNT_ZERO, -5, 0, 0),
	    PUT(MADE_ANON, ACCOUNT_ANON, 5, PAGE_DIRTY, 1) } },
	{ "FILE_DIRTIED",
	  POSTINGS(FILE_DIRTIED(N)),
	  { PUT(MADE_FILE, ACCOUNT_FILE, -N, 0, 1),
	    PUT(MADE_FILE, ACCOUNT_FILE, N, PAGE_DIRTY, 1) } },
	{ "FILE_CLEANED",
	  POSTINGS(FILE_CLEANED(N)),
	  { PUT(MADE_FILE, ACCOUNT_FILE, -N, PAGE_DIRTY, 1),
	    PUT(MADE_FILE, ACCOUNT_FILE, N, 0, 1) } },
	{ "RESHARED 1 to 2",
	  POSTINGS(RESHARED(ANON_WRITE, N, 1, 2)),
	  { PUT(MADE_ANON, ACCOUNT_ANON, -N, PAGE_DIRTY, 1),
	    PUT(MADE_ANON, ACCOUNT_ANON, N, PAGE_DIRTY, 2) } },
	{ "RESHARED 2 to 1",
	  POSTINGS(RESHARED(SHMEM_WRITE, 8, 2, 1)),
	  { PUT(MADE_SHMEM, ACCOUNT_SHMEM, -8, PAGE_DIRTY, 2),
	    PUT(MADE_SHMEM, ACCOUNT_SHMEM, 8, PAGE_DIRTY, 1) } },
	{ "swapped out",
	  POSTINGS(ANON_WRITE(-N), SWAPPED(N)),
	  { PUT(MADE_ANON, ACCOUNT_ANON, -N, PAGE_DIRTY, 1),
	    PUT(MADE_ANON, ACCOUNT_SWAP, N, 0, 1) } },
	{ "swapped out, of two processes",
	  POSTINGS(SWAPPED(N, .sharers = 2)),
	  { PUT(MADE_ANON, ACCOUNT_SWAP, N, 0, 2) } },
	{ "shmem swapped out",
	  POSTINGS(SHMEM_WRITE(-N), SHMEM_SWAPPED(N)),
	  { PUT(MADE_SHMEM, ACCOUNT_SHMEM, -N, PAGE_DIRTY, 1),
	    PUT(MADE_SHMEM, ACCOUNT_SHMEM_SWAP, N, 0, 0) } },
	{ "hugetlb",
	  POSTINGS(POSTING(ACCOUNT_HUGETLB, 0, -512)),
	  { PUT(MADE_HUGETLB, ACCOUNT_HUGETLB, -512, 0, 1) } },
	{ "special",
	  POSTINGS(POSTING(ACCOUNT_SPECIAL, 0, 1)),
	  { PUT(MADE_VVAR, ACCOUNT_SPECIAL, 1, 0, 0) } },
	{ "given up with MADV_FREE",
	  POSTINGS(ANON_WRITE(-N), ANON_LAZYFREE(N)),
	  { PUT(MADE_ANON, ACCOUNT_ANON, -N, PAGE_DIRTY, 1),
	    PUT(MADE_ANON, ACCOUNT_ANON, N, PAGE_LAZYFREE | PAGE_NOT_SWAPBACKED, 1) } },
	{ "a huge page",
	  POSTINGS(ANON_HUGE(512)),
	  { PUT(MADE_HUGE, ACCOUNT_ANON, 512, PAGE_DIRTY | PAGE_HUGE, 1) } },
	{ "locked",
	  POSTINGS(ANON_LOCKED(3)),
	  { PUT(MADE_LOCKED, ACCOUNT_ANON, 3, PAGE_DIRTY | PAGE_LOCKED, 1) } },
	{ "merged by KSM",
	  POSTINGS(ANON_WRITE(-N), ANON_WRITE(N, .also = PAGE_KSM, .sharers = 2)),
	  { PUT(MADE_ANON, ACCOUNT_ANON, -N, PAGE_DIRTY, 1),
	    PUT(MADE_ANON, ACCOUNT_ANON, N, PAGE_DIRTY | PAGE_KSM, 2) } },
	{ "nothing", { NULL, 0 }, { { MADE_ANON, { 0 }, 0 } } },
};

enum { HAPPENINGS = sizeof(happenings) / sizeof(*happenings) };

static void come_about(struct made_process *p, const struct happening *h)
{
	for (int i = 0; i < 4; i++) {
		if (h->changes[i].pages.pages)
			made_put(p, h->changes[i].where, h->changes[i].pages);
		made_grow(p, h->changes[i].where, h->changes[i].grown);
	}
}

/* The moments of the trial: 0 is the baseline, 1 has the case's mappings, 2 is judged. */
static struct made_trial *trial_of(const struct happening *h, struct step *step)
{
	static const struct step map = { .name = "map", .flags = STEP_ANY_PAGES };
	struct made_process base = made_baseline(), p = made_process();
	struct made_trial *m = made_trial();

	made_moment(m, "baseline", NULL, &base);
	made_moment(m, map.name, &map, &p);
	come_about(&p, h);
	*step = (struct step) { .name = h->name, .postings = h->postings };
	made_moment(m, step->name, step, &p);
	return m;
}

static bool fails(struct made_trial *m)
{
	OWNED(judgement_free) struct judgement j = { 0 };
	bool failed;

	judge_postings(&m->t, 1, 2, 0, &j);
	failed = j.failed;
	return failed;
}

TEST(a_step_that_moved_its_postings_passes)
{
	for (size_t i = 0; i < HAPPENINGS; i++) {
		struct step step;
		struct made_trial *m = trial_of(&happenings[i], &step);
		struct judgement j = { 0 };

		judge_trial(&m->t, &j);
		if (j.failed)
			print_error("%s:\n", happenings[i].name);
		assert_nothing_found(&j);
		judgement_free(&j);
		made_trial_free(m);
	}
}

/*
 * Returns true for the proportional sums of smaps_rollup, in which an error of one page may go
 * unnoticed: the background, which is subtracted, is a sum of rounded numbers. The sums of smaps
 * are judged instead, and the invariants compare smaps_rollup with them. Pss_Anon and Pss_Shmem are
 * judged, because their background is not shared.
 */
static bool is_left_to_the_invariants(enum metric_id id)
{
	return metric(id)->source == SOURCE_ROLLUP && metric(id)->sharing == SHARING_PROPORTIONAL &&
	       id != METRIC_ROLLUP_PSS_ANON && id != METRIC_ROLLUP_PSS_SHMEM;
}

static void shift(struct made_trial *m, enum metric_id id, int64_t off)
{
	struct mapping *anon = &m->t.moments[2].of[0]->maps[MADE_ANON];

	*made_value(m, 2, id) += off;
	if (metric(id)->source == SOURCE_SMAPS)
		anon->smaps[id - METRIC_SMAPS_FIRST] += off;
	if (id == METRIC_PAGEMAP_EXCLUSIVE)
		anon->pagemap.exclusive += off;
	if (metric(id)->source == SOURCE_NUMA)
		anon->numa[id - METRIC_NUMA_FIRST] += off;
	if (metric(id)->source == SOURCE_FRAMES)
		anon->frames[id - METRIC_FRAMES_FIRST] += off;
}

TEST(an_error_of_a_page_in_any_metric_after_any_step_is_found)
{
	unsigned nr = 0;

	for (size_t i = 0; i < HAPPENINGS; i++) {
		struct step step;
		struct made_trial *m = trial_of(&happenings[i], &step);

		for (int id = 0; id < METRIC_COUNT; id++) {
			if (metric(id)->unconstrained || is_left_to_the_invariants(id))
				continue;
			for (int pages = -1; pages <= 1; pages += 2, nr++) {
				shift(m, id, pages * made_page(id));
				if (!fails(m))
					fail_msg("%s: %s is off by %d page, not found",
						 happenings[i].name, metric(id)->name, pages);
				shift(m, id, -pages * made_page(id));
			}
		}
		assert_false(fails(m));
		made_trial_free(m);
	}
	print_message("%u errors of one page, all found\n", nr);
}

/* The text of a program on tmpfs, such as an initramfs, is shmem, and a child shares it. */
TEST(program_text_on_tmpfs_that_a_child_shares_is_background)
{
	static const struct testcase forks = { .processes = 1 };
	dev_t tmpfs = makedev(0, 2);
	struct step step;
	OWNED(made_trial_end) struct made_trial *m = trial_of(&happenings[0], &step);
	struct mapping *text = &m->t.moments[0].of[0]->maps[MADE_TEXT];
	struct host host = *m->t.host;

	host.shmem_device = &tmpfs;
	host.nr_shmem_devices = 1;
	m->t.host = &host;
	m->t.c = &forks;
	shift(m, METRIC_ROLLUP_PSS_SHMEM, PAGE_KB);
	assert_true(fails(m));
	text->dev_major = 0;
	text->dev_minor = 2;
	assert_false(fails(m));
}

/* Some 32-bit kernels leave huge pages out of Pss. */
static void leave_huge_out_of_pss(struct made_trial *m, size_t moment)
{
	static const enum metric_id of_mapping[] = { METRIC_SMAPS_PSS, METRIC_SMAPS_PSS_DIRTY };
	static const enum metric_id sums[] = { METRIC_SMAPS_PSS, METRIC_SMAPS_PSS_DIRTY,
					       METRIC_ROLLUP_PSS, METRIC_ROLLUP_PSS_DIRTY,
					       METRIC_ROLLUP_PSS_ANON };
	struct mapping *huge = &m->t.moments[moment].of[0]->maps[MADE_HUGE];
	int64_t kb = mapping_smaps(huge, METRIC_SMAPS_ANONHUGEPAGES);

	for (size_t i = 0; i < sizeof(of_mapping) / sizeof(*of_mapping); i++)
		huge->smaps[of_mapping[i] - METRIC_SMAPS_FIRST] -= kb;
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		*made_value(m, moment, sums[i]) -= kb;
}

static const struct happening *a_huge_page(void)
{
	size_t i = 0;

	while (strcmp(happenings[i].name, "a huge page"))
		i++;
	return &happenings[i];
}

TEST(Pss_may_lack_huge_pages_only_on_a_host_that_does_so)
{
	struct step step;
	OWNED(made_trial_end) struct made_trial *m = trial_of(a_huge_page(), &step);
	struct host host = *m->t.host;

	m->t.host = &host;
	leave_huge_out_of_pss(m, 1);
	leave_huge_out_of_pss(m, 2);
	assert_true(fails(m));
	host.pss_loses_huge = true;
	for (int more = 0; more < 2; more++) {
		struct judgement j = { 0 };

		judge_invariants(&m->t, 2, 0, &j);
		judge_postings(&m->t, 1, 2, 0, &j);
		if (more)
			assert_true(j.failed);
		else
			assert_nothing_found(&j);
		judgement_free(&j);
		shift(m, METRIC_SMAPS_PSS, -PAGE_KB);
		shift(m, METRIC_ROLLUP_PSS, -PAGE_KB);
	}
}

/* The numbers are right, and the case expects one page too many. */
TEST(an_error_of_a_page_in_any_posting_is_found)
{
	unsigned nr = 0;

	for (size_t i = 0; i < HAPPENINGS; i++) {
		struct step step;
		struct made_trial *m = trial_of(&happenings[i], &step);

		for (size_t k = 0; k < step.postings.nr; k++, nr++) {
			m->t.moments[2].expected[k].pages += 1;
			if (!fails(m))
				fail_msg("%s: posting %zu is off by a page, not found",
					 happenings[i].name, k);
			m->t.moments[2].expected[k].pages -= 1;
		}
		made_trial_free(m);
	}
	print_message("%u postings with a page too many, all found\n", nr);
}

static void assert_moved(struct postings p, enum metric_id id, int64_t expected)
{
	assert_int_equal(postings_sum(p, metric(id), 0, PAGE_BYTES), expected * 4096);
}

TEST(postings_are_summed_in_the_metrics_unit)
{
	const struct postings p = POSTINGS(VIRT_DATA(3), ANON_WRITE(2), FILE_READ(1));

	assert_moved(p, METRIC_STAT_VSIZE, 3 * PAGE_BYTES);
	assert_moved(p, METRIC_STATM_SIZE, 3);
	assert_moved(p, METRIC_STATUS_VMSIZE, 3 * PAGE_KB);
	assert_moved(p, METRIC_STATUS_VMRSS, 3 * PAGE_KB);
	assert_moved(p, METRIC_STATM_SHARED, 1);
	assert_moved(p, METRIC_SMAPS_PRIVATE_CLEAN, PAGE_KB);
	assert_moved(p, METRIC_SMAPS_SHARED_CLEAN, 0);
	assert_moved(p, METRIC_STATUS_VMSWAP, 0);
}

TEST(postings_of_another_process_are_not_counted)
{
	const struct postings p = POSTINGS(ANON_WRITE(7, .process = 1));

	assert_moved(p, METRIC_STATUS_RSSANON, 0);
	assert_int_equal(postings_sum(p, metric(METRIC_STATUS_RSSANON), 1, PAGE_BYTES),
			 7 * PAGE_KB * 4096);
}

/*
 * A third of 4096 << 12 is not a whole number. The kernel drops the rest at each page, and so does
 * rssck.
 */
TEST(shares_are_rounded_at_each_page_as_in_the_kernel)
{
	const struct postings p = POSTINGS(ANON_WRITE(300, .sharers = 3));
	int64_t share = ((int64_t)PAGE_BYTES << 12) / 3;

	assert_int_equal(postings_sum(p, metric(METRIC_SMAPS_PSS), 0, PAGE_BYTES),
			 300 * share / 1024);
	assert_moved(p, METRIC_SMAPS_RSS, 1200);
}

TEST(thp_stands_for_the_pages_of_a_huge_page)
{
	assert_int_equal(pages_of(3, 512), 3);
	assert_int_equal(pages_of(-32768, 512), -32768);
	assert_int_equal(pages_of(THP - 1, 512), 511);
	assert_int_equal(pages_of(-(THP - 1), 512), -511);
	assert_int_equal(pages_of(-THP / 2, 512), -256);
	assert_int_equal(pages_of(3 * THP + 7, 8192), 3 * 8192 + 7);
	assert_int_equal(pages_of(THP / 4, 32), 8);
}

TEST(a_posting_of_0_pages_does_not_end_the_list)
{
	const struct postings p = POSTINGS(VIRT_DATA(3), FILE_READ(0), ANON_WRITE(0),
					   ANON_WRITE(2));

	assert_int_equal(p.nr, 4);
	assert_moved(p, METRIC_STATUS_VMSIZE, 3 * PAGE_KB);
	assert_moved(p, METRIC_STATUS_RSSFILE, 0);
	assert_moved(p, METRIC_STATUS_RSSANON, 2 * PAGE_KB);
}

TEST(a_posting_macro_accepts_fields_by_name)
{
	const struct postings p = POSTINGS(ANON_WRITE(6, .sharers = 2, .process = 1),
					   FILE_WRITE(5, .also = PAGE_LOCKED));

	assert_int_equal(p.list[0].process, 1);
	assert_int_equal(p.list[0].sharers, 2);
	assert_moved(p, METRIC_SMAPS_RSS, 5 * PAGE_KB);
	assert_moved(p, METRIC_SMAPS_LOCKED, 5 * PAGE_KB);
	assert_moved(p, METRIC_SMAPS_PRIVATE_DIRTY, 5 * PAGE_KB);
}

/* Macros of several postings pass their fields to each of them. */
TEST(pages_that_change_their_class_are_posted_to_both_classes)
{
	const struct postings p = POSTINGS(SHARED_WITH(1, ANON_WRITE, 4),
					   FILE_TO_ANON(3, .process = 1));
	const struct metric *pss = metric(METRIC_SMAPS_PSS), *rss = metric(METRIC_SMAPS_RSS);

	assert_int_equal(p.nr, 5);
	assert_moved(p, METRIC_SMAPS_RSS, 0);
	assert_moved(p, METRIC_SMAPS_PSS, -2 * PAGE_KB);
	assert_int_equal(postings_sum(p, rss, 1, PAGE_BYTES), 4 * PAGE_KB * 4096);
	assert_int_equal(postings_sum(p, pss, 1, PAGE_BYTES), 2 * PAGE_KB * 4096);
}
