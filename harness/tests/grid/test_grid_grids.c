// SPDX-License-Identifier: MIT
/* The grid: it is read back as written, kernels that agree are one group, and words find a cell. */
#include "cmd/recorded.h"
#include "grid/grids.h"
#include "grid/lines.h"
#include "grid/names.h"
#include "tests/support/files.h"
#include "tests/support/test.h"
#include <errno.h>

static struct grids recorded;

FIXTURE(load)
{
	grids_recorded(&recorded, "results");
	return recorded.nr ? 0 : -1;
}

FIXTURE(drop)
{
	grids_free(&recorded);
	return 0;
}

/*
 * Returns a grid in which "anon" has 16 kB, of which the act "free" removes `taken`. The grid is
 * too large for a stack.
 */
static const struct grid *made_up(const char *release, int64_t taken, int error)
{
	static struct grid g;

	memset(&g, 0, sizeof(g));
	g.page_size = 4096;
	g.nr_kinds = g.nr_acts = 2;
	g.columns = GRID_ALL_COLUMNS;
	snprintf(g.release, sizeof(g.release), "%s", release);
	snprintf(g.machine, sizeof(g.machine), "x86_64");
	strcpy(g.kinds[0], "anon");
	strcpy(g.kinds[1], "droppable");
	strcpy(g.acts[0], "free");
	strcpy(g.acts[1], "dontneed");
	g.before[0] = (struct grid_cell) { true, { [GRID_SIZE] = 16, [GRID_ANON] = 16 } };
	g.after[0][0] = (struct grid_cell) {
		true, { [GRID_ERRNO] = error, [GRID_SIZE] = 16, [GRID_ANON] = 16 - taken }
	};
	return &g;
}

static char *written(const struct grid *g)
{
	char *text = PRINTED(out, assert_int_equal(grid_write(g, out), 0));

	return folder_put(g->release, text);
}

static struct grids made_up_two(int64_t taken, int error)
{
	char *list[] = { written(made_up("6.12.1", taken, error)),
			 written(made_up("6.1.0", 16, 0)) };
	char why[256] = "";
	struct grids g;

	if (grids_load(&g, list, 2, why, sizeof(why)))
		fail_msg("%s", why);
	return g;
}

/* An older record lacks the numbers of the cgroup. */
TEST(only_columns_in_both_records_are_compared)
{
	static struct grid old, now, of[2];
	struct grids g = { .of = of, .nr = 2 };
	unsigned group[GRIDS_MAX];

	old = *made_up("6.1.0", 16, 0);
	old.columns = 1U << GRID_SIZE | 1U << GRID_ANON;
	now = *made_up("6.12.1", 16, 0);
	now.columns = old.columns | 1U << GRID_CGROUP;
	now.before[0].of[GRID_CGROUP] = 16;
	of[0] = old;
	of[1] = now;
	assert_int_equal(grids_group(&g, "anon", "free", group), 1);
	of[0].columns = now.columns;
	assert_int_equal(grids_group(&g, "anon", "free", group), 2);
}

TEST(written_grids_are_read_back_in_the_order_of_releases)
{
	OWNED(grids_free) struct grids g = made_up_two(16, 0);
	struct grid_effect e = grid_effect(&g.of[0], "anon", "free");

	assert_string_equal(g.of[0].release, "6.1.0");
	assert_string_equal(g.of[1].machine, "x86_64");
	assert_int_equal(g.of[1].page_size, 4096);
	assert_int_equal(e.before->of[GRID_ANON], 16);
	assert_int_equal(e.after->of[GRID_ANON], 0);
	assert_null(grid_effect(&g.of[0], "anon", "dontneed").after);
	assert_null(grid_effect(&g.of[0], "droppable", "free").after);
}

static void assert_words(struct grids g, const char *expected, bool differ)
{
	bool differs;
	char *words = grid_cell_words(&g, "anon", "free", &differs);

	assert_string_equal(words, expected);
	assert_int_equal(differs, differ);
	free(words);
	grids_free(&g);
}

TEST(kernels_that_agree_are_one_group)
{
	assert_words(made_up_two(16, 0), "VmRSS -16 kB, RssAnon -16 kB", false);
	assert_words(made_up_two(0, EINVAL),
		     "VmRSS -16 kB, RssAnon -16 kB on 6.1.0; refused: EINVAL on 6.12.1", true);
	assert_words(made_up_two(0, 0),
		     "VmRSS -16 kB, RssAnon -16 kB on 6.1.0; nothing moves on 6.12.1", true);
}

TEST(a_file_that_is_no_grid_is_refused)
{
	char why[256] = "", *path = (char[]) { "results/6.18.15+deb13-cloud-amd64.json" };
	OWNED(grids_free) struct grids g;

	assert_int_equal(grids_load(&g, &path, 1, why, sizeof(why)), -1);
	assert_string_not_equal(why, "");
}

static void assert_asks(const char *text, const char *act, const char *kind)
{
	struct grid_asked a;

	if (!grid_asked_read(grids_newest(&recorded), text, !strncmp(text, "does ", 5), &a))
		fail_msg("'%s' is not understood", text);
	assert_string_equal(a.act, act);
	assert_string_equal(a.kind, kind);
}

TEST(words_find_a_cell)
{
	assert_asks("MADV_FREE of shmem", "free", "shm");
	assert_asks("what does MADV_FREE do to shmem?", "free", "shm");
	assert_asks("free middle of anon", "free middle", "anon");
	assert_asks("madv_dontneed of a part of THP", "dontneed middle", "huge");
	assert_asks("mlock on the heap", "mlock", "anon");
	assert_asks("FALLOC_FL_PUNCH_HOLE of a memfd", "punch", "memfd");
	assert_asks("mremap to hugetlb", "move", "hugetlb");
	assert_asks("UFFDIO_WRITEPROTECT of private file", "wp", "file private");
	assert_asks("does MADV_FREE free shmem?", "free", "shm");
	assert_asks("does mremap copy THP", "move", "huge");
}

TEST(a_query_that_names_no_cell_is_not_answered)
{
	static const char *const others[] = { "VmRSS", "MADV_FREE", "peak of RSS",
					      "MADV_FREE of nothing", "why is RSS of anon large?" };
	struct grid_asked a;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(grid_asked_read(grids_newest(&recorded), others[i], false, &a));
}

TEST(each_recorded_kind_and_act_has_a_name)
{
	const struct grid *g;

	g = grids_newest(&recorded);
	for (unsigned i = 0; i < g->nr_kinds; i++)
		if (!grid_has_name(GRID_IS_KIND, g->kinds[i]))
			fail_msg("names.def has no kind %s", g->kinds[i]);
	for (unsigned i = 0; i < g->nr_acts; i++)
		if (g->after[0][i].known && !grid_has_name(GRID_IS_ACT, g->acts[i]))
			fail_msg("names.def has no act %s", g->acts[i]);
}

/*
 * The expected values are from mm/madvise.c and live runs: MADV_FREE works only on anonymous
 * memory.
 */
TEST(recorded_cells_agree_with_the_kernel_source)
{
	static const struct {
		const char *kind, *act, *words;
	} cells[] = {
		{ "shm", "free", "refused: EINVAL" },
		{ "anon", "free", "dirty -16 kB, LazyFree +16 kB" },
		{ "anon", "dontneed",
		  "VmRSS -16 kB, RssAnon -16 kB, Pss -16 kB, dirty -16 kB, memory.stat -16 kB" },
		{ "anon locked", "dontneed", "refused: EINVAL" },
		{ "file private", "write",
		  "RssAnon +16 kB, RssFile -16 kB, dirty +16 kB, soft-dirty +16 kB, memory.stat +16 kB" },
	};

	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
		bool differs;
		char *words = grid_cell_words(&recorded, cells[i].kind, cells[i].act, &differs);

		assert_non_null(words);
		assert_string_equal(words, cells[i].words);
		free(words);
	}
}

TESTS_SHARE(load, drop);
