// SPDX-License-Identifier: MIT
/* A library's text is private while one process maps it, and shared while two do. */
#include <rssck/case.h>

enum { PAGES = 128, FD = 0, CHILD = 1 };

static void map_text(struct workload *w)
{
	touch_read(w, workload_map_text(w, w->fd[FD], PAGES), PAGES);
}

static void load(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	map_text(w);
}

CASE(file_library_of_one) {
	.claim = "Resident text of a library that only one process maps is Private_Clean; while a "
		 "second process maps it, too, it is Shared_Clean",
	.because = "smaps calls a page private if exactly one page table entry maps it "
		   "(page_mapcount() is 1), even if the page could be shared. SHR counts the "
		   "resident text in both cases.",
	.said_by = SAID_BY("ELC: USS and PSS", "top(1), SHR"),
	.processes = 1,
	.steps = STEPS(STEP("load a library", load, MOVES(VIRT_EXEC(PAGES), FILE_READ(PAGES))),
		       STEP("fork", step_fork, .child = CHILD,
			    MOVES(VIRT_EXEC(PAGES, .process = CHILD))),
		       STEP("the child loads it, too", map_text, .process = CHILD,
			    MOVES(VIRT_EXEC(PAGES, .process = CHILD),
				  SHARED_WITH(CHILD, FILE_READ, PAGES))),
		       STEP("the child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(FILE_READ, PAGES, 2, 1)))),
};
