// SPDX-License-Identifier: MIT
/* CommitLimit follows from its settings, the memory outside of the hugetlb pool, and swap. */
#include <inttypes.h>
#include <rssck/case.h>
#include <sys/swap.h>

#define RATIO "/proc/sys/vm/overcommit_ratio"
#define KB    "/proc/sys/vm/overcommit_kbytes"
#define POOL  "/proc/sys/vm/nr_hugepages"

/* A write of one of the first two clears the other. `kb` 0: the ratio is set. */
static const struct row {
	int64_t ratio, kb, pool;
} rows[] = {
	{ 0, 0, 0 },  { 50, 0, 0 }, { 50, 0, 3 },     { 100, 0, 0 },
	{ 99, 0, 1 }, { 0, 4, 0 },  { 0, 123456, 0 }, { 0, 123456, 3 },
};

static int64_t ratio_was, kb_was, pool_was;
static char area[WORKLOAD_NAME];

static void restore(void)
{
	if (area[0])
		swapon(area, 0);
	workload_try_to_set_number(RATIO, ratio_was);
	if (kb_was > 0)
		workload_try_to_set_number(KB, kb_was);
	if (pool_was >= 0)
		workload_try_to_set_number(POOL, pool_was);
}

/* vm_commit_limit() of mm/util.c, in pages. */
static int64_t limit(const struct workload *w)
{
	int64_t kb = workload_number(KB, NULL, 0);
	int64_t memory = workload_meminfo_pages(w, "MemTotal") -
			 workload_meminfo_pages(w, "Hugetlb");

	if (kb)
		return kb * 1024 / (int64_t)w->page_size + workload_meminfo_pages(w, "SwapTotal");
	return memory * workload_number(RATIO, NULL, 0) / 100 +
	       workload_meminfo_pages(w, "SwapTotal");
}

static void try_row(struct workload *w, const struct row *row, const char *swap)
{
	int64_t seen;

	if (pool_was >= 0)
		workload_set_number(w, POOL, pool_was + row->pool);
	workload_set_number(w, row->kb ? KB : RATIO, row->kb ? row->kb : row->ratio);
	seen = workload_meminfo_pages(w, "CommitLimit");
	if (seen != limit(w))
		workload_fail(w,
			      "overcommit_ratio %" PRId64 ", overcommit_kbytes %" PRId64
			      ", %" PRId64 " hugetlb pages more, %s swap: CommitLimit is %" PRId64
			      " pages instead of %" PRId64,
			      row->ratio, row->kb, row->pool, swap, seen, limit(w));
}

static void try_rows(struct workload *w, const char *swap)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		try_row(w, &rows[i], swap);
}

static void each_setting(struct workload *w)
{
	struct workload_guard g;
	bool has_swap = workload_swap_area(area, sizeof(area));

	if (!has_swap)
		area[0] = '\0';
	ratio_was = workload_number(RATIO, NULL, -1);
	kb_was = workload_number(KB, NULL, 0);
	pool_was = workload_number(POOL, NULL, -1);
	if (ratio_was < 0)
		workload_skip(w, "%s", RATIO);
	g = workload_guard_begin(w, restore);
	try_rows(w, has_swap ? "with" : "without");
	if (has_swap && !swapoff(area))
		try_rows(w, "without");
	workload_guard_end(w, &g);
	workload_checked(w);
}

CASE(machine_commit_limit) {
	.claim =
		"CommitLimit is vm.overcommit_kbytes or, if that is 0, vm.overcommit_ratio percent of the memory outside of the hugetlb pool; the size of all swap areas is added to either",
	.because = "vm_commit_limit() computes it anew each time, from both settings, "
		   "totalram_pages(), hugetlb_total_pages() and total_swap_pages.",
	.said_by = SAID_BY("proc_meminfo(5), CommitLimit", "proc(5), overcommit_kbytes"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("each setting", each_setting, .checks = 1)),
};
