// SPDX-License-Identifier: MIT
/* drop_caches drops no mapped page, so RES does not change. */
#include <rssck/case.h>

/* BESIDE is a mapping of a second file, whose pages are cached and in no page table. */
enum { PAGES = 256, REGION = 0, BESIDE = 1, FD = 1 };

static void map_beside(struct workload *w)
{
	step_map_file(w);
	w->fd[FD] = workload_file(w, PAGES);
	workload_cache(w, w->fd[FD], PAGES);
	w->slot[BESIDE] = workload_map_pages(w, PAGES, PROT_READ, MAP_SHARED, w->fd[FD]);
}

/*
 * The second file must lose pages, which shows that something was dropped. Needs a guest, because
 * drop_caches affects the whole machine.
 */
static void drop(struct workload *w)
{
	int64_t before = workload_pages_in_core(w, w->slot[BESIDE], PAGES);

	if (!before)
		workload_skip_step(w, "a page cache that no other process drops");
	workload_set(w, "/proc/sys/vm/drop_caches", "1");
	if (workload_pages_in_core(w, w->slot[BESIDE], PAGES) < before)
		workload_checked(w);
}

CASE(file_drop_caches_keeps_mapped) {
	.claim = "Writing 1 to drop_caches removes no mapped page from RES or from the page cache",
	.because = "invalidate_mapping_pages() skips pages that are mapped, dirty or locked. So "
		   "page cache that a process maps is not 'free on demand'.",
	.said_by = SAID_BY("Documentation/admin-guide/sysctl/vm.rst, drop_caches"),
	.needs = NEEDS("guest"),
	.flags = CASE_RECLAIMS,
	.steps = STEPS(STEP("map and read", map_beside, .pages = PAGES, .prot = PROT_READ,
			    .read = PAGES, MOVES(VIRT_OTHER(2 * PAGES), FILE_READ(PAGES))),
		       STEP("drop_caches", drop, .checks = 1),
		       STEP("read again", step_read_zeroes, .pages = PAGES, .checks = 1)),
};
