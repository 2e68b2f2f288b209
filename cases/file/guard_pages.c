// SPDX-License-Identifier: MIT
/* Guard regions in a file mapping behave like those in anonymous memory, also in pagemap. */
#include <rssck/case.h>

enum { PAGES = 64, GUARDS = 16, REGION = 0, MEMORY = 1, SEEN = 0 };

static void map_and_read(struct workload *w)
{
	w->slot[REGION] = workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE,
					     workload_file(w, PAGES));
	touch_read(w, w->slot[REGION], PAGES);
	w->slot[MEMORY] = workload_anonymous(w, GUARDS);
}

static void install(struct workload *w)
{
	if (madvise(w->slot[REGION], GUARDS * w->page_size, MADV_GUARD_INSTALL) < 0)
		workload_skip(w, "MADV_GUARD_INSTALL in a file mapping (Linux 6.15): %m");
	workload_advise(w, w->slot[MEMORY], GUARDS * w->page_size, MADV_GUARD_INSTALL);
	w->number[SEEN] = workload_pages_marked(w, w->slot[MEMORY], GUARDS, PAGEMAP_GUARD);
	workload_expect(w, GUARDED(2 * w->number[SEEN]));
}

static void remove_guards(struct workload *w)
{
	workload_advise(w, w->slot[REGION], GUARDS * w->page_size, MADV_GUARD_REMOVE);
	workload_expect(w, GUARDED(-w->number[SEEN]));
}

CASE(file_guard_pages) {
	.claim =
		"Installing guard regions in a file mapping removes the guarded pages from RES and SHR; bit 58 of pagemap marks these guards, too",
	.because = "Since 6.15 MADV_GUARD_INSTALL works on file mappings, too, because the markers "
		   "are page table entries. The file keeps its pages in the page cache.",
	.said_by = SAID_BY("madvise(2), MADV_GUARD_INSTALL",
			   "Documentation/admin-guide/mm/pagemap.rst: bit 58"),
	.steps = STEPS(STEP("map and read", map_and_read,
			    MOVES(VIRT_OTHER(PAGES), VIRT_DATA(GUARDS), FILE_READ(PAGES))),
		       STEP("install guards", install, MOVES(FILE_READ(-GUARDS))),
		       STEP("remove the guards", remove_guards),
		       STEP("read again", step_read, .slot = REGION, .pages = PAGES,
			    MOVES(FILE_READ(GUARDS)))),
	.posts = POSTS(GUARDED(GUARDS)),
};
