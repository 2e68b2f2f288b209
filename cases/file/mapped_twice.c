// SPDX-License-Identifier: MIT
/* One process maps the same file twice: its RES counts the pages twice, its Pss once. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, FIRST = 0, SECOND = 1, FD = 0 };

static void map_and_read(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	w->slot[FIRST] = workload_map(w, PAGES * w->page_size, PROT_READ, MAP_SHARED, w->fd[FD], 0);
	touch_read(w, w->slot[FIRST], PAGES);
}

static void map_again(struct workload *w)
{
	w->slot[SECOND] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				       w->fd[FD], 0);
	touch_read(w, w->slot[SECOND], PAGES);
}

static void write_half(struct workload *w)
{
	touch_write(w, w->slot[SECOND], HALF);
}

static void unmap_first(struct workload *w)
{
	munmap(w->slot[FIRST], PAGES * w->page_size);
	workload_forget(w, w->slot[FIRST]);
}

CASE(file_mapped_twice) {
	.claim = "A file that one process maps twice counts twice in its RES and is 'shared' with "
		 "no other process; a private copy ends that",
	.because = "RSS counts page-table entries. smaps calls a page shared whose mapcount is two "
		   "or more, whoever the mappers are.",
	.said_by = SAID_BY("proc_pid_smaps(5), Shared_Clean", "top(1), SHR"),
	.steps = STEPS(
		STEP("map and read", map_and_read, MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES))),
		STEP("map and read again", map_again,
		     MOVES(VIRT_DATA(PAGES), RESHARED(FILE_READ, PAGES, 1, 2),
			   FILE_READ(PAGES, .sharers = 2))),
		STEP("write half", write_half,
		     MOVES(FILE_READ(-2 * HALF, .sharers = 2), FILE_READ(HALF), ANON_WRITE(HALF))),
		STEP("unmap the first", unmap_first,
		     MOVES(VIRT_OTHER(-PAGES), FILE_READ(-HALF), FILE_READ(-HALF, .sharers = 2),
			   RESHARED(FILE_READ, HALF, 2, 1)))),
};
