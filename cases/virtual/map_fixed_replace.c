// SPDX-License-Identifier: MIT
/*
 * MAP_FIXED over a resident mapping subtracts the pages and the address space of the old mapping.
 */
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
	.claim = "MAP_FIXED over a resident mapping drops its pages from RES; VIRT does not "
		 "change, and the address space is counted as the new mapping's kind",
	.because = "mmap_region() first unmaps what is mapped at these addresses, then maps. In "
		   "total_vm the two changes cancel each other.",
	.said_by = SAID_BY("mmap(2), MAP_FIXED"),
	.steps = STEPS(STEP("write", step_map, ALL_WRITTEN(PAGES)),
		       STEP("map the same kind over it", same_kind, MOVES(ANON_WRITE(-PART))),
		       STEP("map shared memory over it", shared,
			    MOVES(VIRT_DATA(-PART), VIRT_OTHER(PART), ANON_WRITE(-PART),
				  SHMEM_WRITE(PART))),
		       STEP("map a file over that", a_file,
			    MOVES(SHMEM_WRITE(-PART), FILE_READ(PART))),
		       STEP("map PROT_NONE over that", nothing, MOVES(FILE_READ(-PART)))),
};
