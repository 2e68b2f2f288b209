// SPDX-License-Identifier: MIT
/* Page cache in huge pages is FilePmdMapped, on file systems with large folios. */
#include <rssck/case.h>

enum { HUGE = 2, REGION = 0 };

static int64_t pages(const struct workload *w)
{
	return HUGE * w->huge;
}

static void map(struct workload *w)
{
	if (!w->huge_page_size)
		workload_skip(w, "transparent huge pages");
	w->slot[REGION] = workload_huge_map(w, HUGE, workload_file(w, (size_t)pages(w)));
	workload_expect(w, VIRT_OTHER(pages(w)));
}

/* Read-ahead allocates huge pages (do_sync_mmap_readahead()), and a fault maps each by a PMD. */
static void touch_each(struct workload *w)
{
	char *p = w->slot[REGION];

	workload_advise(w, p, HUGE * w->huge_page_size, MADV_HUGEPAGE);
	for (int i = 0; i < HUGE; i++)
		touch_read(w, p + (size_t)i * w->huge_page_size, 1);
	if (workload_pages_present(w, p, (size_t)pages(w)) < pages(w))
		workload_skip(w, "a file system with huge pages (ext4 from 6.16 on)");
	workload_expect(w, FILE_HUGE(pages(w)));
}

CASE(thp_file_huge) {
	.claim =
		"One touch of a file that is cached in huge pages maps a whole huge page of it, and RssFile and FilePmdMapped count its pages",
	.because = "do_set_pmd() maps the whole folio and adds HPAGE_PMD_NR to MM_FILEPAGES. "
		   "smaps_pmd_entry() counts the pages of a PMD in FilePmdMapped.",
	.said_by = SAID_BY("proc_pid_smaps(5), FilePmdMapped"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("map", map), STEP("touch each once", touch_each),
		       STEP("read all", step_read_zeroes, .pages = HUGE * THP, .checks = 1),
		       /*
			* The kernel drops a file's PMD instead of splitting it into entries; later
			* faults map the pages again.
			*/
		       STEP("unmap one", step_unmap, .pages = THP,
			    MOVES(VIRT_OTHER(-THP), FILE_HUGE(-THP)))),
	.posts = POSTS(VIRT_OTHER(1), FILE_HUGE(1)),
};
