// SPDX-License-Identifier: MIT
/* MAP_POPULATE makes writable memory resident at once, and maps zero pages where it is not. */
#include <rssck/case.h>

enum { PAGES = 200 };

static void map(struct workload *w, int prot)
{
	workload_map(w, PAGES * w->page_size, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1,
		     0);
}

static void map_writable(struct workload *w)
{
	map(w, PROT_READ | PROT_WRITE);
}

static void map_readable(struct workload *w)
{
	map(w, PROT_READ);
}

static void map_none(struct workload *w)
{
	map(w, PROT_NONE);
}

CASE(anonymous_map_populate) {
	.claim = "MAP_POPULATE makes writable memory resident at once; read-only memory gets zero "
		 "pages",
	.because = "populate_vma_page_range() takes write faults where VM_WRITE is set and the "
		   "mapping is private, and read faults elsewhere. A mapping without access rights "
		   "cannot be populated.",
	.said_by = SAID_BY("mmap(2), MAP_POPULATE"),
	.steps = STEPS(STEP("writable", map_writable, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("readable", map_readable, MOVES(VIRT_OTHER(PAGES), ZERO_READ(PAGES))),
		       STEP("PROT_NONE", map_none, MOVES(VIRT_OTHER(PAGES)))),
};
