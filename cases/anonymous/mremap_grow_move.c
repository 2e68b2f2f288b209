// SPDX-License-Identifier: MIT
/* mremap moves page tables: growing, moving and shrinking keep what is resident. */
#include <rssck/case.h>

enum { PAGES = 128, REGION = 0, TARGET = 1 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
}

static void remap(struct workload *w, size_t from, size_t to, int flags, void *target)
{
	void *p = mremap(w->slot[REGION], from * w->page_size, to * w->page_size, flags, target);

	if (p == MAP_FAILED)
		workload_die(w, "mremap: %m");
	workload_forget(w, w->slot[REGION]);
	workload_remember(w, p, to * w->page_size);
	w->slot[REGION] = p;
}

static void grow(struct workload *w)
{
	remap(w, PAGES, 2 * PAGES, MREMAP_MAYMOVE, NULL);
}

static void write_new(struct workload *w)
{
	touch_write(w, (char *)w->slot[REGION] + PAGES * w->page_size, PAGES);
}

static void map_target(struct workload *w)
{
	w->slot[TARGET] = workload_anonymous(w, 2 * PAGES);
	touch_write(w, w->slot[TARGET], PAGES);
}

/* Over the target: what was there goes. */
static void move(struct workload *w)
{
	const volatile char *p = w->slot[TARGET];

	workload_forget(w, w->slot[TARGET]);
	remap(w, 2 * PAGES, 2 * PAGES, MREMAP_MAYMOVE | MREMAP_FIXED, w->slot[TARGET]);
	if (p[2 * w->page_size] != 3)
		workload_fail(w, "the content did not move with the pages");
}

static void shrink(struct workload *w)
{
	remap(w, 2 * PAGES, PAGES / 2, 0, NULL);
}

CASE(anonymous_mremap_grow_move) {
	.claim = "mremap keeps the pages that it moves resident: only the address space that it "
		 "adds or removes counts",
	.because = "move_page_tables() carries the entries to their new place; no page is copied "
		   "and no counter changes. Shrinking, and moving over another mapping, unmap.",
	.said_by = SAID_BY("mremap(2)"),
	.steps = STEPS(STEP("write", map_and_write, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("grow", grow, MOVES(VIRT_DATA(PAGES))),
		       STEP("write the new half", write_new, MOVES(ANON_WRITE(PAGES))),
		       STEP("another mapping, half written", map_target,
			    MOVES(VIRT_DATA(2 * PAGES), ANON_WRITE(PAGES))),
		       STEP("move over it", move, MOVES(VIRT_DATA(-2 * PAGES), ANON_WRITE(-PAGES))),
		       STEP("shrink", shrink,
			    MOVES(VIRT_DATA(-(2 * PAGES - PAGES / 2)),
				  ANON_WRITE(-(2 * PAGES - PAGES / 2))))),
};
