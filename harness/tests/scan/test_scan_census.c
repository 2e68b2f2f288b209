// SPDX-License-Identifier: MIT
/* A table of many made-up processes: groups, order, sums. */
#include "scan/census/print.h"
#include "tests/support/json.h"
#include "tests/support/test.h"

#define MEMBER(p, u, n, v, r, s, un, o, sw, a, f, sh)                                     \
	{                                                                                 \
		.pid = p, .uid = u, .name = n, .vmrss = v, .rss = r, .pss = s, .uss = un, \
		.own = o, .swap = sw, .pss_anon = a, .pss_file = f, .pss_shmem = sh       \
	}

/*
 * A server with four workers of different sizes, and two other programs. Columns: pid, uid, name;
 * vmrss, rss, pss, uss, own, swap; the anonymous, file and shmem parts of pss.
 */
static const struct member made[] = {
	MEMBER(10, 0, "server", 900, 1000, 400, 100, 90, 1, 250, 100, 50),
	MEMBER(11, 33, "server", 1100, 1100, 300, 40, 30, 0, 200, 100, 0),
	MEMBER(12, 33, "server", 1200, 1200, 310, 50, 40, 0, 210, 100, 0),
	MEMBER(13, 33, "server", 1300, 1300, 320, 60, 50, 0, 220, 100, 0),
	MEMBER(14, 33, "server", 1400, 1400, 900, 700, 690, 0, 800, 100, 0),
	MEMBER(20, 0, "alone", 50, 50, 40, 30, 12, 0, 12, 28, 0),
	MEMBER(9, 1000, "\033[31mred", -1, 5, 5, 5, 5, 100, 5, 0, 0),
};

enum { MADE = sizeof(made) / sizeof(*made) };

static struct census census(const struct census_wanted *w)
{
	struct census c = { .nr_members = MADE };

	c.members = malloc(sizeof(made));
	assert_non_null(c.members);
	memcpy(c.members, made, sizeof(made));
	c.sights[SIGHT_SEEN] = MADE;
	c.machine = machine_read(
		"MemTotal: 9000 kB\nAnonPages:   1700 kB\nMapped: 600 kB\nCached: 800 kB\n");
	assert_int_equal(census_group(&c, w), 0);
	return c;
}

TEST(the_cost_of_one_more_process_is_the_median)
{
	const struct census_wanted w = { .by = BY_PROGRAM };
	OWNED(census_free) struct census c = census(&w);

	assert_int_equal(c.nr_rows, 3);
	assert_string_equal(c.rows[0].first->name, "server");
	assert_int_equal(c.rows[0].nr, 5);
	assert_int_equal(c.rows[0].pss, 2230);
	assert_int_equal(c.rows[0].uss, 950);
	assert_int_equal(c.rows[0].rss, 6000);
	assert_int_equal(c.rows[0].vmrss, 5900);
	assert_int_equal(c.rows[0].one_more, 50);
	assert_int_equal(c.rows[0].one_more_least, 30);
	assert_int_equal(c.rows[0].one_more_most, 690);
	assert_string_equal(c.rows[1].first->name, "alone");
	assert_int_equal(c.rows[1].one_more, 12);
}

TEST(rows_are_grouped_by_user_and_by_process)
{
	const struct census_wanted by_user = { .by = BY_USER }, by_process = { .by = BY_PROCESS };
	OWNED(census_free) struct census c = census(&by_user);

	assert_int_equal(c.nr_rows, 3);
	assert_int_equal(c.rows[0].first->uid, 33);
	assert_int_equal(c.rows[0].nr, 4);
	assert_int_equal(c.rows[1].pss, 440);
	census_free(&c);
	c = census(&by_process);
	assert_int_equal(c.nr_rows, MADE);
	assert_int_equal(c.rows[0].first->pid, 14);
	assert_int_equal(c.rows[MADE - 1].first->pid, 9);
}

TEST(rows_are_sorted_by_the_given_key)
{
	static const struct {
		enum census_sort sort;
		pid_t first, last;
	} orders[] = {
		{ SORT_PSS, 14, 9 },  { SORT_USS, 14, 9 }, { SORT_RSS, 14, 9 },
		{ SORT_SWAP, 9, 20 }, { SORT_PID, 9, 20 }, { SORT_ONE_MORE, 14, 9 },
		{ SORT_NAME, 9, 14 },
	};

	for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
		const struct census_wanted w = { .sort = orders[i].sort };
		OWNED(census_free) struct census c = census(&w);

		assert_int_equal(c.rows[0].first->pid, orders[i].first);
		assert_int_equal(c.rows[MADE - 1].first->pid, orders[i].last);
	}
}

TEST(the_rows_add_up_to_the_sum_however_they_are_grouped)
{
	for (enum census_by by = BY_PROCESS; by <= BY_USER; by++) {
		const struct census_wanted w = { .by = by };
		OWNED(census_free) struct census c = census(&w);
		int64_t pss = 0, uss = 0, rss = 0, swap = 0;

		for (size_t i = 0; i < c.nr_rows; i++) {
			pss += c.rows[i].pss;
			uss += c.rows[i].uss;
			rss += c.rows[i].rss;
			swap += c.rows[i].swap;
		}
		assert_int_equal(pss, c.sum.pss);
		assert_int_equal(uss, c.sum.uss);
		assert_int_equal(rss, c.sum.rss);
		assert_int_equal(swap, c.sum.swap);
		assert_int_equal(c.sum.pss, 2275);
		assert_int_equal(c.sum.pss_anon + c.sum.pss_file + c.sum.pss_shmem, 2275);
	}
}

static char *page_of_census(const struct census *c, const struct census_wanted *w)
{
	char *text = PRINTED(out, census_print(c, w, out, false));

	return text;
}

TEST(the_text_gives_the_sum_and_the_unseen_processes)
{
	const struct census_wanted w = { .by = BY_PROCESS };
	OWNED(census_free) struct census c = census(&w);
	char *text;

	c.sights[SIGHT_DENIED] = 12;
	c.unseen_vmrss = 34567;
	c.sights[SIGHT_GONE] = 1;
	c.sights[SIGHT_KERNEL_THREAD] = 60;
	text = page_of_census(&c, &w);
	assert_says(text, "2,275 kB = anonymous 1,697 + file 528 + shmem 50");
	assert_says(text, "AnonPages 1,700 + Mapped 600 = 2,300 kB");
	assert_says(text, "2,275 kB (98.9 % of that; difference -25 kB)");
	assert_says(text, "12 processes could not be seen");
	assert_says(text, "34,567 kB");
	assert_says(text, "1 process ended");
	assert_says(text, "60 kernel threads have no memory");
	assert_null(strchr(text, '\033'));
	/* If nothing could be read, there is no table and no sum, but a note of what is missing. */
	c.nr_members = 0;
	text = page_of_census(&c, &w);
	assert_says_not(text, "together\n");
	assert_says(text, "12 processes could not be seen");
}

TEST(json_has_the_same_numbers)
{
	const struct census_wanted w = { .by = BY_PROGRAM };
	OWNED(census_free) struct census c = census(&w);
	json_auto_t *j = census_json(&c, &w);

	assert_string_equal(json_text(j, "schema"), SCAN_SCHEMA);
	assert_string_equal(json_text(j, "by"), "program");
	assert_int_equal(json_number(j, "sum/Pss"), 2275);
	assert_int_equal(json_number(j, "rows/0/one_more"), 50);
	assert_int_equal(json_number(j, "rows/0/processes"), 5);
}

TEST(a_missing_line_of_meminfo_is_unknown_and_not_0)
{
	struct machine m = machine_read("MemTotal:       24683652 kB\nCached: 7 kB\nMapped:  5 kB\n"
					"Slab: 10 kB\nKernelStack: 20 kB\nPageTables: 30 kB\n");

	assert_int_equal(m.total, 24683652);
	assert_int_equal(m.mapped, 5);
	assert_int_equal(m.cached, 7);
	assert_int_equal(m.kernel, 60);
	assert_int_equal(m.anon, -1);
	/* SwapCached must not be taken for Cached, nor ShmemHugePages for Shmem. */
	assert_int_equal(machine_read("ShmemHugePages: 9 kB\nShmem: 3 kB\n").shmem, 3);
	assert_int_equal(machine_read("SwapCached: 9 kB\n").cached, -1);
	/* A size of more than 2^64 bytes is ignored, also in sums. */
	assert_int_equal(machine_read("Slab: 9223372036854775807 kB\nPercpu: 2 kB\n").kernel, 2);
	assert_int_equal(machine_read("Shmem: 18014398509481984 kB\n").shmem, -1);
}

static void never_measured(struct measured *m)
{
	(void)m;
	fail_msg("no number differs, so no model should be measured");
}

TEST(without_differences_no_model_is_measured)
{
	const struct census_wanted w = { .by = BY_PROCESS };
	struct measured m = { .known = false };
	OWNED(census_free) struct census c = census(&w);

	for (size_t i = 0; i < c.nr_members; i++)
		c.members[i].vmrss = c.members[i].rss;
	census_judge(&c, &m, never_measured, 4096);
	assert_int_equal(c.nr_off, 0);
}
