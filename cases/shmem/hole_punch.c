// SPDX-License-Identifier: MIT
/* Punching a hole removes shmem pages from every mapping and leaves private copies. */
#include <rssck/case.h>

enum { PAGES = 256, QUARTER = PAGES / 4, SHARED = 0, COPY = 1, FD = 0, TAKEN = 0 };

static void map_and_write(struct workload *w)
{
	w->fd[FD] = workload_shmem(w, PAGES);
	w->slot[SHARED] = workload_shared(w, PAGES, w->fd[FD]);
	w->slot[COPY] = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE,
					   w->fd[FD]);
	touch_write(w, w->slot[SHARED], PAGES);
	touch_write(w, w->slot[COPY], QUARTER);
}

static void punch(struct workload *w)
{
	if (fallocate(w->fd[FD], FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
		      (off_t)(2 * QUARTER * w->page_size)) < 0)
		workload_skip_step(w, "fallocate(2) of a hole: %m");
	w->number[TAKEN] += 2 * QUARTER;
}

static void remove_more(struct workload *w)
{
	if (madvise((char *)w->slot[SHARED] + 2 * QUARTER * w->page_size, QUARTER * w->page_size,
		    MADV_REMOVE) < 0)
		workload_skip_step(w, "MADV_REMOVE: %m");
	w->number[TAKEN] += QUARTER;
}

static void write_again(struct workload *w)
{
	const char *p = w->slot[SHARED], *copy = w->slot[COPY];

	if (!copy[0])
		workload_fail(w, "the private copy lost its content");
	if (w->number[TAKEN] >= 2 * QUARTER && p[0])
		workload_fail(w, "the hole still has data");
	touch_write(w, w->slot[SHARED], 3 * QUARTER);
	workload_expect(w, SHMEM_WRITE(w->number[TAKEN]));
}

CASE(shmem_hole_punch) {
	.claim =
		"Punching a hole in shmem removes its pages from the RSS of every process that maps them; private copies stay",
	.because = "shmem_fallocate() frees the pages and unmaps them from all processes with "
		   "even_cows = 0, because a private copy is not a page of the file. MADV_REMOVE "
		   "does the same.",
	.said_by = SAID_BY("fallocate(2)", "madvise(2), MADV_REMOVE"),
	.steps = STEPS(STEP("map and write", map_and_write,
			    MOVES(VIRT_OTHER(PAGES), VIRT_DATA(PAGES), SHMEM_WRITE(PAGES),
				  ANON_WRITE(QUARTER))),
		       STEP("punch a hole into half", punch, MOVES(SHMEM_WRITE(-2 * QUARTER))),
		       STEP("MADV_REMOVE a quarter", remove_more, MOVES(SHMEM_WRITE(-QUARTER))),
		       STEP("write the hole again", write_again)),
};
