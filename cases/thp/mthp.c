// SPDX-License-Identifier: MIT
/* One fault maps a large folio smaller than a PMD. Its pages are unmapped one by one. */
#include <rssck/case.h>

enum { BLOCKS = 2, REGION = 0, BY_FOLIO = 0, CHILD = 1 };
STEP_SYMBOLS(TOUCH_A_BYTE_OF_EACH);
enum { UNMAPPED = 5, GIVEN_BACK = 3, WRITTEN = 2 };

static char *block(const struct workload *w, size_t i)
{
	return (char *)w->slot[REGION] + i * workload_folio_bytes(w);
}

static void map_and_touch(struct workload *w)
{
	w->slot[REGION] = workload_large_folios(w, BLOCKS);
	w->number[BY_FOLIO] = workload_shares_by_folio(w, block(w, 0));
	workload_report(w, "by folio", w->number[BY_FOLIO]);
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
	munmap(block(w, 0) + w->page_size, UNMAPPED * w->page_size);
	let_go(w, UNMAPPED);
}

static void give_back_some(struct workload *w)
{
	madvise(block(w, 1), GIVEN_BACK * w->page_size, MADV_DONTNEED);
	let_go(w, GIVEN_BACK);
}

static void write_some(struct workload *w)
{
	touch_write(w, block(w, 2) - WRITTEN * w->page_size, WRITTEN);
	let_go(w, WRITTEN);
}

static void reap(struct workload *w)
{
	int64_t n = BLOCKS * WORKLOAD_FOLIO_PAGES;

	if (!w->number[BY_FOLIO])
		n -= UNMAPPED + GIVEN_BACK + WRITTEN;
	workload_reap(w, CHILD);
	workload_expect(w, RESHARED(ANON_WRITE, n, 2, 1));
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact(j, "large_folio.sharing_is_known_by", "%s",
		   trial_reported(t, TOUCH_A_BYTE_OF_EACH, "by folio") ? "folio" : "page");
}

CASE(thp_mthp) {
	.claim =
		"One fault maps a large folio of 16 pages, which RES counts as 16 pages; each of them is unmapped and copied separately, and on kernels with a mapcount per page shared separately",
	.because = "do_anonymous_page() maps the whole folio (since 6.8, if folios of 16 pages are "
		   "enabled: hugepages-64kB with pages of 4 kB). Zap, fork and copy-on-write then "
		   "count the pages that they map or unmap.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst"),
	.processes = 1,
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(TOUCH_A_BYTE_OF_EACH, "touch a byte of each folio", map_and_touch),
		       STEP("fork", step_fork,
			    FORKED(CHILD, ANON_WRITE, BLOCKS *WORKLOAD_FOLIO_PAGES)),
		       STEP("the child unmaps some pages", unmap_some, .process = CHILD,
			    MOVES(VIRT_DATA(-UNMAPPED, .process = CHILD))),
		       STEP("the child drops some pages", give_back_some, .process = CHILD),
		       STEP("the child writes some pages", write_some, .process = CHILD,
			    MOVES(ANON_WRITE(WRITTEN, .process = CHILD))),
		       STEP("the child exits", reap)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1)),
	.facts = FACTS(FACT("large_folio.sharing_is_known_by",
			    "The kernel tracks sharing within a large folio per", "page|folio")),
	.judge = judge,
};
