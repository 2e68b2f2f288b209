// SPDX-License-Identifier: MIT
/* Mapping over a resident mapping subtracts its pages and its address space. */
#include <rssck/case.h>

enum { PAGES = 256, PART = PAGES / 4, REGION = 0 };

static void *map_over(struct workload *w, size_t first, int prot, int flags, int fd)
{
	char *at = (char *)w->slot[REGION] + first * w->page_size;
	void *p = mmap(at, PART * w->page_size, prot, flags | MAP_FIXED, fd, 0);

	if (p == MAP_FAILED)
		workload_die(w, "mmap: %m");
	return p;
}

static void same_kind(struct workload *w)
{
	map_over(w, PART, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static void shared(struct workload *w)
{
	touch_write(w,
		    map_over(w, 2 * PART, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1),
		    PART);
}

static void a_file(struct workload *w)
{
	touch_read(w, map_over(w, 2 * PART, PROT_READ, MAP_SHARED, workload_file(w, PART)), PART);
}

static void nothing(struct workload *w)
{
	map_over(w, 2 * PART, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

CASE(virtual_map_fixed_replace) {
	.claim = "MAP_FIXED over a resident mapping drops its pages; VIRT stays, and the kind of "
		 "address space becomes the new mapping's",
	.because = "mmap_region() first unmaps the memory at these addresses; in total_vm the "
		   "two changes cancel out.",
	.said_by = SAID_BY("mmap(2), MAP_FIXED"),
	.steps = STEPS(STEP("write", step_map, .pages = PAGES, .written = PAGES,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("over it, the same kind", same_kind, MOVES(ANON_WRITE(-PART))),
		       STEP("shared memory", shared,
			    MOVES(VIRT_DATA(-PART), VIRT_OTHER(PART), ANON_WRITE(-PART),
				  SHMEM_WRITE(PART))),
		       STEP("a file over that", a_file, MOVES(SHMEM_WRITE(-PART), FILE_READ(PART))),
		       STEP("nothing over that", nothing, MOVES(FILE_READ(-PART)))),
};
