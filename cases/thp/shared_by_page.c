// SPDX-License-Identifier: MIT
/*
 * If small entries map a huge page, each of its pages is shared or private separately, unless the
 * kernel has no mapcount per page (CONFIG_NO_PAGE_MAPCOUNT).
 */
#include <rssck/case.h>

enum { REGION = 0, BY_FOLIO = 0, CHILD = 1, FIRST = 5, UNMAPPED = 7, WRITTEN = 3 };

/* Changing and restoring the protection of one page leaves one mapping with small entries. */
static void map_and_split(struct workload *w)
{
	w->slot[REGION] = workload_huge_map(w, 1, -1);
	workload_huge_write(w, w->slot[REGION], 1);
	workload_protect(w, w->slot[REGION], w->page_size, PROT_READ);
	workload_protect(w, w->slot[REGION], w->page_size, PROT_READ | PROT_WRITE);
	w->number[BY_FOLIO] = workload_shares_by_folio(w, w->slot[REGION]);
	workload_expect(w, VIRT_DATA(w->huge), ANON_WRITE(w->huge));
}

/*
 * The child no longer maps n pages. The parent then has them alone, unless the kernel tracks
 * sharing by folio.
 */
static void let_go(struct workload *w, int64_t n)
{
	workload_expect(w, ANON_WRITE(-n, .sharers = 2, .process = CHILD));
	if (!w->number[BY_FOLIO])
		workload_expect(w, RESHARED(ANON_WRITE, n, 2, 1));
}

static void unmap_some(struct workload *w)
{
	munmap((char *)w->slot[REGION] + FIRST * w->page_size, UNMAPPED * w->page_size);
	let_go(w, UNMAPPED);
}

static void write_last(struct workload *w)
{
	touch_write(w, (char *)w->slot[REGION] + w->huge_page_size - WRITTEN * w->page_size,
		    WRITTEN);
	let_go(w, WRITTEN);
	workload_expect(w, ANON_WRITE(WRITTEN, .process = CHILD));
}

static void reap(struct workload *w)
{
	int64_t n = w->huge - (w->number[BY_FOLIO] ? 0 : UNMAPPED + WRITTEN);

	workload_reap(w, CHILD);
	workload_expect(w, RESHARED(ANON_WRITE, n, 2, 1));
}

CASE(thp_shared_by_page) {
	.claim =
		"If small entries map a huge page, each of its pages is shared or private separately; some kernels know this only for the whole folio",
	.because = "fork raises the mapcount of each page of the folio; unmapping and "
		   "copy-on-write lower the mapcount of single pages. So the first page's "
		   "mapcount does not show the other pages' state. Kernels without a mapcount "
		   "per page (CONFIG_NO_PAGE_MAPCOUNT) treat the folio as shared until all of it "
		   "is unmapped.",
	.said_by = SAID_BY("Documentation/mm/transhuge.rst", "proc_pid_smaps(5), Pss"),
	.needs = NEEDS("thp"),
	.processes = 1,
	.flags = CASE_THP,
	.steps = STEPS(STEP("split the mapping of a huge page", map_and_split),
		       STEP("fork", step_fork, FORKED(CHILD, ANON_WRITE, THP)),
		       STEP("the child unmaps some pages", unmap_some, .process = CHILD,
			    MOVES(VIRT_DATA(-UNMAPPED, .process = CHILD))),
		       STEP("the child writes the last pages", write_last, .process = CHILD),
		       STEP("the child exits", reap)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1), ANON_WRITE(1, .sharers = 2)),
};
