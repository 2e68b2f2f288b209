// SPDX-License-Identifier: MIT
/*
 * MAP_POPULATE makes pages resident during mmap(): private copies in a private writable mapping,
 * clean file pages in a read-only or shared one.
 */
#include <rssck/case.h>

enum { PAGES = 256 };

CASE(file_populate) {
	.claim = "MAP_POPULATE fills a private writable file mapping with RssAnon pages, and any "
		 "other readable file mapping with RssFile pages, which stay clean",
	.because = "populate_vma_page_range() takes write faults in a private writable mapping, so "
		   "that each page is copied. In other mappings it takes read faults, so that the "
		   "file does not become dirty.",
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
