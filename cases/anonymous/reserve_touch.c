// SPDX-License-Identifier: MIT
/* Mapping memory moves VIRT and DATA; touching it moves RES, page by page. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0 };

static void map(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
}

static void touch_to(struct workload *w, int64_t pages)
{
	touch_write(w, (char *)w->slot[REGION] + (size_t)w->number[0] * w->page_size,
		    (size_t)(pages - w->number[0]));
	w->number[0] = pages;
}

static void touch_first(struct workload *w)
{
	touch_to(w, 1);
}

static void touch_second(struct workload *w)
{
	touch_to(w, 2);
}

static void touch_half(struct workload *w)
{
	touch_to(w, PAGES / 2);
}

static void touch_rest(struct workload *w)
{
	touch_to(w, PAGES);
}

static void write_again(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES);
}

static void unmap_half(struct workload *w)
{
	munmap((char *)w->slot[REGION] + PAGES / 2 * w->page_size, PAGES / 2 * w->page_size);
}

CASE(anonymous_reserve_touch) {
	.claim = "Mapping memory moves VIRT and DATA only; touching it moves RES, one page at a "
		 "time",
	.because = "mmap() makes address space; the first write to each page faults in a zeroed "
		   "page, and the fault raises MM_ANONPAGES by one.",
	.said_by = SAID_BY("Memory part 2: Understanding Process memory"),
	.steps = STEPS(STEP("map", map, MOVES(VIRT_DATA(PAGES))),
		       STEP("touch the first page", touch_first, MOVES(ANON_WRITE(1))),
		       STEP("touch the second page", touch_second, MOVES(ANON_WRITE(1))),
		       STEP("touch up to half", touch_half, MOVES(ANON_WRITE(PAGES / 2 - 2))),
		       STEP("touch the rest", touch_rest, MOVES(ANON_WRITE(PAGES / 2))),
		       STEP("write again", write_again),
		       STEP("unmap half", unmap_half,
			    MOVES(VIRT_DATA(-(PAGES / 2)), ANON_WRITE(-(PAGES / 2))))),
};
