// SPDX-License-Identifier: MIT
/* A page must keep its data, unless an act may have lost it. */
#include "agent/verbs/data.h"
#include "tests/support/test.h"

enum { PAGE = 4096, PAGES = 8 };

static char memory[2][PAGES * PAGE] __attribute__((aligned(PAGE)));
static struct data d;
static struct worker k;

static uint32_t wrong(void)
{
	uint64_t seen, expected;
	uint32_t page;

	return data_check(&d, &k, &page, &seen, &expected);
}

static void follow(const char *text, int error)
{
	struct act a;
	char why[128];

	assert_int_equal(act_parse(&a, text, why, sizeof(why)), 0);
	k.verb = &verbs[a.verb];
	k.outcome.error = error;
	data_follow(&d, &k, &a);
}

static void begin(const char *map)
{
	k = (struct worker) { .page = PAGE, .data = &d };
	memset(memory, 0, sizeof(memory));
	for (unsigned i = 0; i < 2; i++)
		k.regions[i].at = memory[i];
	data_begin(&d, 3);
	follow(map, 0);
	for (unsigned i = 0; i < 4; i++)
		data_stamp(&k, memory[0] + (size_t)i * PAGE);
	assert_int_equal(wrong(), 0);
}

static void zero(unsigned region, unsigned page)
{
	memset(memory[region] + (size_t)page * PAGE, 0, PAGE);
}

TEST(lost_and_exchanged_data_is_wrong)
{
	begin("mmap r0 0..3 anon private rw");
	zero(0, 2);
	assert_int_equal(wrong(), 1);
	begin("mmap r0 0..3 anon private rw");
	memcpy(memory[0], memory[0] + PAGE, PAGE);
	assert_int_equal(wrong(), 1);
}

TEST(data_stays_where_an_act_is_not_about_it)
{
	static const char *const acts[] = { "madvise r0 0..3 PAGEOUT",    "mlock r0 0..3",
					    "madvise r0 0..3 COLD",       "mprotect r0 0..3 r",
					    "madvise r0 0..3 COLLAPSE",   "move_pages r0 0..3",
					    "userfaultfd r0 0..3 protect" };

	for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++) {
		begin("mmap r0 0..3 anon private rw");
		follow(acts[i], 0);
		zero(0, 1);
		assert_int_equal(wrong(), 1);
	}
}

TEST(dontneed_may_lose_private_data_only)
{
	begin("mmap r0 0..3 anon private rw");
	follow("madvise r0 1..2 DONTNEED", 0);
	zero(0, 1);
	assert_int_equal(wrong(), 0);
	zero(0, 3);
	assert_int_equal(wrong(), 1);
	begin("mmap r0 0..3 anon shared rw");
	follow("madvise r0 1..2 DONTNEED", 0);
	zero(0, 1);
	assert_int_equal(wrong(), 1);
}

TEST(moved_data_is_at_its_new_place)
{
	begin("mmap r0 0..3 anon private rw");
	follow("mremap r0 0..3 to r1", 0);
	assert_int_equal(wrong(), 4);
	memcpy(memory[1], memory[0], sizeof(memory[0]));
	zero(0, 0);
	assert_int_equal(wrong(), 0);
	begin("mmap r0 0..3 anon private rw");
	follow("mremap r0 0..3 DONTUNMAP beside", 0);
	memcpy(memory[0] + (size_t)4 * PAGE, memory[0], (size_t)4 * PAGE);
	memset(memory[0], 0, (size_t)4 * PAGE);
	assert_int_equal(wrong(), 0);
}

TEST(nothing_follows_from_a_move_that_failed)
{
	begin("mmap r0 0..3 anon private rw");
	follow("mremap r0 0..3 to r1", 22);
	zero(0, 0);
	assert_int_equal(wrong(), 0);
}

TEST(truncation_loses_all_behind_it)
{
	begin("mmap r0 0..3 memfd shared rw");
	follow("truncate r0 2..2", 0);
	zero(0, 3);
	assert_int_equal(wrong(), 0);
	zero(0, 1);
	assert_int_equal(wrong(), 1);
}

TEST(a_child_has_no_claim_on_what_it_shares)
{
	begin("mmap r0 0..3 anon shared rw");
	data_forked(&d, &k);
	zero(0, 1);
	assert_int_equal(wrong(), 0);
	data_stamp(&k, memory[0]);
	zero(0, 0);
	assert_int_equal(wrong(), 0);
	begin("mmap r0 0..3 anon private rw");
	data_forked(&d, &k);
	zero(0, 1);
	assert_int_equal(wrong(), 1);
	follow("madvise r0 0..3 WIPEONFORK", 0);
	data_forked(&d, &k);
	assert_int_equal(wrong(), 0);
}

TEST(pages_for_ksm_are_equal)
{
	begin("mmap r0 0..3 anon private rw");
	d.equal = true;
	for (unsigned i = 0; i < 4; i++)
		data_stamp(&k, memory[0] + (size_t)i * PAGE);
	assert_memory_equal(memory[0], memory[0] + PAGE, PAGE);
	assert_int_equal(wrong(), 0);
}
