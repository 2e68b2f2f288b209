// SPDX-License-Identifier: MIT
/*
 * MAP_POPULATE allocates pages in writable private anonymous memory, and maps the zero page into
 * such memory if it is read-only.
 */
#include <rssck/case.h>

enum { PAGES = 200 };

CASE(anonymous_map_populate) {
	.claim =
		"In private anonymous memory MAP_POPULATE allocates pages if the memory is writable, and maps the zero page if it is read-only",
	.because = "populate_vma_page_range() takes write faults if the mapping is private and "
		   "has VM_WRITE, otherwise read faults. A PROT_NONE mapping cannot be populated.",
	.said_by = SAID_BY("mmap(2), MAP_POPULATE"),
	.steps = STEPS(STEP("writable", step_map, .pages = PAGES,
			    .mapping = MAP_PRIVATE | MAP_POPULATE,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("readable", step_map, .pages = PAGES, .prot = PROT_READ,
			    .mapping = MAP_PRIVATE | MAP_POPULATE,
			    MOVES(VIRT_OTHER(PAGES), ZERO_READ(PAGES, .also = PAGE_UNWRITABLE))),
		       STEP("PROT_NONE", step_map, .pages = PAGES, .prot = NO_ACCESS,
			    .mapping = MAP_PRIVATE | MAP_POPULATE, MOVES(VIRT_OTHER(PAGES)))),
};
