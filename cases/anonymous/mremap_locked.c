// SPDX-License-Identifier: MIT
/* mremap of locked memory carries VmLck along; what it adds is locked and resident. */
#include <rssck/case.h>

/* Below the smallest RLIMIT_MEMLOCK in use, 64 KiB. */
enum { PAGES = 4, REGION = 0 };

static void map_and_lock(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
	if (mlock(w->slot[REGION], PAGES * w->page_size) < 0)
		workload_skip(w, "mlock: %m");
}

static void resize(struct workload *w, size_t from, size_t to)
{
	void *p = mremap(w->slot[REGION], from * w->page_size, to * w->page_size, MREMAP_MAYMOVE);

	if (p == MAP_FAILED)
		workload_die(w, "mremap: %m");
	workload_forget(w, w->slot[REGION]);
	workload_remember(w, p, to * w->page_size);
	w->slot[REGION] = p;
}

static void grow(struct workload *w)
{
	resize(w, PAGES, 3 * PAGES);
}

/* What was cut off by shrinking is free again behind it. */
static void grow_in_place(struct workload *w)
{
	if (mremap(w->slot[REGION], PAGES * w->page_size, 2 * PAGES * w->page_size, 0) ==
	    MAP_FAILED)
		workload_die(w, "mremap in place: %m");
	workload_remember(w, w->slot[REGION], 2 * PAGES * w->page_size);
}

static void shrink(struct workload *w)
{
	resize(w, 3 * PAGES, PAGES);
}

CASE(anonymous_mremap_locked) {
	.claim = "When mremap grows locked memory, the new part is locked and resident, too; "
		 "shrinking gives both back",
	.because = "The grown mapping keeps VM_LOCKED: locked_vm rises by what is added, and "
		   "mm_populate() faults it in.",
	.said_by = SAID_BY("mremap(2)", "mlock(2)"),
	.steps = STEPS(STEP("map and lock", map_and_lock,
			    MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES))),
		       STEP("grow", grow,
			    MOVES(VIRT_DATA(2 * PAGES), VIRT_LOCKED(2 * PAGES),
				  ANON_LOCKED(2 * PAGES))),
		       STEP("shrink", shrink,
			    MOVES(VIRT_DATA(-2 * PAGES), VIRT_LOCKED(-2 * PAGES),
				  ANON_LOCKED(-2 * PAGES))),
		       STEP("grow in place", grow_in_place,
			    MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES)))),
};
