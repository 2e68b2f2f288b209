// SPDX-License-Identifier: MIT
/*
 * MAP_POPULATE makes pages resident at mmap(): copies in a private writable mapping, clean pages
 * elsewhere.
 */
#include <rssck/case.h>

enum { PAGES = 256 };

CASE(file_populate) {
	.claim = "MAP_POPULATE makes all of a private writable file mapping RssAnon, and any "
		 "other file mapping RssFile and clean",
	.because = "populate_vma_page_range() takes write faults where the mapping is writable and "
		   "private, so that each page is copied; a shared mapping is only read, so that "
		   "the file does not become dirty.",
	.said_by = SAID_BY("mmap(2), MAP_POPULATE"),
	.steps = STEPS(STEP("private, read-only", step_map_file, .pages = PAGES, .prot = PROT_READ,
			    .mapping = MAP_PRIVATE | MAP_POPULATE,
			    MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES))),
		       STEP("shared, writable", step_map_file, .pages = PAGES,
			    .mapping = MAP_SHARED | MAP_POPULATE,
			    MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES))),
		       STEP("private, writable", step_map_file, .pages = PAGES,
			    .mapping = MAP_PRIVATE | MAP_POPULATE,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES)))),
};
