// SPDX-License-Identifier: MIT
/* If one process maps the same file twice, its RES counts the pages twice, its Pss once. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, FIRST = 0, SECOND = 1 };

CASE(file_mapped_twice) {
	.claim =
		"If a process maps a file twice, RES counts each page twice and smaps shows the page as shared; a private copy of a page is counted once",
	.because = "RSS counts page table entries. smaps calls a page shared if its mapcount is "
		   "2 or more, even if all entries belong to one process.",
	.said_by = SAID_BY("proc_pid_smaps(5), Shared_Clean", "top(1), SHR"),
	.steps = STEPS(
		STEP("map and read", step_map_file, .slot = FIRST, .pages = PAGES,
		     .prot = PROT_READ, .mapping = MAP_SHARED, .read = PAGES,
		     MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES))),
		STEP("map and read again", step_map_again, .slot = SECOND, .pages = PAGES,
		     .mapping = MAP_PRIVATE, .read = PAGES,
		     MOVES(VIRT_DATA(PAGES), RESHARED(FILE_READ, PAGES, 1, 2),
			   FILE_READ(PAGES, .sharers = 2))),
		STEP("write half", step_write, .slot = SECOND, .pages = HALF,
		     MOVES(FILE_READ(-2 * HALF, .sharers = 2), FILE_READ(HALF), ANON_WRITE(HALF))),
		STEP("unmap the first mapping", step_unmap, .slot = FIRST, .pages = PAGES,
		     MOVES(VIRT_OTHER(-PAGES), FILE_READ(-HALF), FILE_READ(-HALF, .sharers = 2),
			   RESHARED(FILE_READ, HALF, 2, 1)))),
};
