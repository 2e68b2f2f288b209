// SPDX-License-Identifier: MIT
/* mremap of a shared mapping: what moves stays resident, what is cut off is not, though it stays
 * memory. */
#include <rssck/case.h>

enum { PAGES = 96, CUT = 40, GROWN = 16, REGION = 0 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
				       workload_shmem(w, PAGES), 0);
	touch_write(w, w->slot[REGION], PAGES);
}

static void remap(struct workload *w, size_t from, size_t to, int flags)
{
	void *p = mremap(w->slot[REGION], from * w->page_size, to * w->page_size, flags);

	if (p == MAP_FAILED)
		workload_die(w, "mremap: %m");
	workload_forget(w, w->slot[REGION]);
	workload_remember(w, p, to * w->page_size);
	w->slot[REGION] = p;
}

static void shrink(struct workload *w)
{
	remap(w, PAGES, PAGES - CUT, 0);
}

/* Something stands behind it: it has to move. */
static void grow(struct workload *w)
{
	char *behind = (char *)w->slot[REGION] + (PAGES - CUT) * w->page_size;

	workload_remember(w,
			  mmap(behind, w->page_size, PROT_NONE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
			  w->page_size);
	remap(w, PAGES - CUT, PAGES - CUT + GROWN, MREMAP_MAYMOVE);
}

/* The pages behind the cut are in the file still. */
static void read_grown(struct workload *w)
{
	touch_read(w, (char *)w->slot[REGION] + (PAGES - CUT) * w->page_size, GROWN);
}

CASE(shmem_mremap) {
	.claim = "mremap of shared memory takes the resident pages along; a page that was cut off "
		 "comes back when it is touched",
	.because = "move_page_tables() moves the entries and no counter changes; the part cut off "
		   "is unmapped like any shared page, and the page cache keeps it.",
	.said_by = SAID_BY("mremap(2)"),
	.steps = STEPS(STEP("map and write", map_and_write,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("shrink", shrink, MOVES(VIRT_OTHER(-CUT), SHMEM_WRITE(-CUT))),
		       STEP("grow and move", grow, MOVES(VIRT_OTHER(GROWN + 1))),
		       STEP("read what has grown", read_grown, MOVES(SHMEM_WRITE(GROWN)))),
};
