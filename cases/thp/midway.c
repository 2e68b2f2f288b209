// SPDX-License-Identifier: MIT
/*
 * What MADV_COLLAPSE of several huge pages answers, and which of them it makes, if one of them is
 * impossible.
 */
#include "../virtual/midway.h"
#include <sys/uio.h>

STEP_SYMBOLS(ASK);

enum { MOST_BYTES = 4 << 20 }; /* of a huge page: larger ones would take long to write */

static size_t small; /* bytes of a base page; a page is huge here */
static int skipped = NO_ELEMENT;

static bool aligned(void)
{
	small = midway_workload->page_size;
	page = midway_workload->huge_page_size;
	if (!page || page > MOST_BYTES)
		return false;
	place = workload_try_aligned_map(ELEMENTS * page, page, -1);
	return place && !madvise(place, ELEMENTS * page, MADV_NOHUGEPAGE);
}

/* Small pages everywhere, unless the huge page is to be untouched. */
static bool write_small_pages(int but)
{
	for (int i = 0; i < ELEMENTS; i++)
		if (i != but)
			touch_write(midway_workload, at(i), page / small);
	return !madvise(place, ELEMENTS * page, MADV_HUGEPAGE);
}

/* ---- what is impossible ---- */

static bool untouched(int i)
{
	skipped = i;
	return true;
}

static bool against_advice(int i)
{
	return !madvise(at(i), page, MADV_NOHUGEPAGE);
}

static bool written(void)
{
	return aligned() && write_small_pages(NO_ELEMENT);
}

static bool pinned(int i)
{
	struct iovec part = { at(i), small };
	int ends[2];

	return !pipe2(ends, O_CLOEXEC) && vmsplice(ends[1], &part, 1, 0) == (ssize_t)small;
}

/* ---- the call, and its effect ---- */

static long collapse(void)
{
	return madvise(place, ELEMENTS * page, MADV_COLLAPSE);
}

static long write_and_collapse(void)
{
	return write_small_pages(skipped) ? collapse() : -1;
}

/* Makes the page a mapping of its own, which smaps tells about. */
static bool is_huge(int i)
{
	unsigned long from, to, kb = 0, now = 0;
	char line[512];
	FILE *f;

	madvise(at(i), page, MADV_DONTDUMP);
	f = fopen("/proc/self/smaps", "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
			now = from;
		if (now == (uintptr_t)at(i))
			sscanf(line, "AnonHugePages: %lu", &kb);
	}
	if (f)
		fclose(f);
	madvise(at(i), page, MADV_DODUMP);
	return kb * 1024 == page;
}

/* clang-format off */
static const struct midway rows[] = {
	{ ROW("no page table", aligned, untouched, write_and_collapse, is_huge),
	  DIFFERS("collapse.at_no_page_table", { STOPS, EINVAL, "stops" }, { GOES_ON, EINVAL, "goes on" }) },
	{ ROW("pinned", written, pinned, collapse, is_huge), LAW(GOES_ON, EAGAIN) },
	{ ROW("hole", written, midway_hole, collapse, is_huge), LAW(GOES_ON, ENOMEM) },
	{ ROW("MADV_NOHUGEPAGE", written, against_advice, collapse, is_huge), LAW(STOPS, EINVAL) },
};
/* clang-format on */

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static void ask(struct workload *w)
{
	midway_report(w, rows, ROWS);
}

static void judge(const struct trial *t, struct judgement *j)
{
	midway_judge(t, j, ASK, rows, ROWS);
}

CASE(thp_midway) {
	.claim =
		"MADV_COLLAPSE goes on behind a hole, or a huge page of which the kernel cannot move a small one, makes the others, and returns the error in the end; it stops at a mapping with MADV_NOHUGEPAGE, and the huge pages before it are made",
	.because =
		"madvise_collapse() has a list of results after which it goes on. Up to 6.18 it lacks SCAN_PMD_NONE, a missing page table. An error of a mapping ends madvise(2).",
	.said_by = SAID_BY("madvise(2), MADV_COLLAPSE"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(ASK, "collapse, each place", ask, .checks = 1)),
	.facts = FACTS(FACT("collapse.at_no_page_table",
			    "MADV_COLLAPSE at memory without a page table", "stops|goes on")),
	.judge = judge,
};
