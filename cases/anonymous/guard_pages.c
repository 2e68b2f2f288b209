// SPDX-License-Identifier: MIT
/* Guard regions replace pages by markers in the page table, which add to neither RSS nor VmSwap. */
#include <rssck/case.h>

enum { PAGES = 256, GUARDS = 64, REGION = 0, GUARDS_SEEN = 0 };
STEP_SYMBOLS(INSTALL_GUARDS);

static void install(struct workload *w)
{
	workload_advise(w, w->slot[REGION], GUARDS * w->page_size, MADV_GUARD_INSTALL);
	w->number[GUARDS_SEEN] = workload_pages_marked(w, w->slot[REGION], PAGES, PAGEMAP_GUARD);
	workload_report(w, "guards", w->number[GUARDS_SEEN]);
	workload_report(w, "swapped", workload_pages_swapped(w, w->slot[REGION], PAGES));
	workload_expect(w, GUARDED(w->number[GUARDS_SEEN]));
}

static void look(struct workload *w)
{
	if (!w->number[GUARDS_SEEN])
		workload_skip_step(w, "bit 58 of pagemap (Linux 6.15)");
	workload_checked(w);
}

static void remove_guards(struct workload *w)
{
	workload_advise(w, w->slot[REGION], GUARDS * w->page_size, MADV_GUARD_REMOVE);
	workload_expect(w, GUARDED(-w->number[GUARDS_SEEN]));
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact_of(j, "guard_pages.pagemap_bit_58", trial_reported(t, INSTALL_GUARDS, "guards"),
		      GUARDS, "no", "yes", "some");
	judge_fact_of(j, "guard_pages.pagemap_bit_62", trial_reported(t, INSTALL_GUARDS, "swapped"),
		      GUARDS, "no", "yes", "some");
}

CASE(anonymous_guard_pages) {
	.claim = "Installing a guard region removes the region's pages from RES and leaves VIRT "
		 "unchanged; since 6.15 bit 58 of pagemap marks the guards",
	.because = "MADV_GUARD_INSTALL zaps the pages and writes PTE markers. A marker is an "
		   "entry without a page: it is neither present nor swapped, but pagemap sets "
		   "the swap bit for it.",
	.said_by = SAID_BY("madvise(2), MADV_GUARD_INSTALL",
			   "Documentation/admin-guide/mm/pagemap.rst: bit 58"),
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES)),
		       STEP_AS(INSTALL_GUARDS, "install guards", install,
			       MOVES(ANON_WRITE(-GUARDS))),
		       STEP("pagemap shows guards", look, .checks = 1),
		       STEP("remove the guards", remove_guards),
		       STEP("write again", step_write, .pages = GUARDS, MOVES(ANON_WRITE(GUARDS)))),
	/*
	 * No tested kernel shows "no" for bit 58 yet. 6.13 and 6.14 should: they have guards and no
	 * bit 58 (pagemap.rst).
	 */
	.facts = FACTS(FACT("guard_pages.pagemap_bit_58",
			    "Does pagemap show a guard page by bit 58?", "yes|no"),
		       FACT("guard_pages.pagemap_bit_62",
			    "Does pagemap show a guard page as swapped (bit 62)?", "yes|no")),
	.posts = POSTS(GUARDED(GUARDS)),
	.judge = judge,
};
