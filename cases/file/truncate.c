// SPDX-License-Identifier: MIT
/* Truncating a file takes its pages out of every mapping, private copies too; VIRT stays. */
#include <rssck/case.h>
#include <unistd.h>

enum { PAGES = 256, HALF = PAGES / 2, READ = 0, COPY = 1, FD = 0 };

static void map_and_touch(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	w->slot[READ] = workload_map(w, PAGES * w->page_size, PROT_READ, MAP_SHARED, w->fd[FD], 0);
	w->slot[COPY] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				     w->fd[FD], 0);
	touch_read(w, w->slot[READ], PAGES);
	touch_write(w, w->slot[COPY], PAGES);
}

static void resize(struct workload *w, size_t pages)
{
	workload_must(w, ftruncate(w->fd[FD], (off_t)(pages * w->page_size)), "ftruncate");
}

/* The pages beyond the end are not touched before they exist again: that would be SIGBUS. */
static void shrink(struct workload *w)
{
	resize(w, HALF);
}

static void grow(struct workload *w)
{
	resize(w, PAGES);
}

static void read_again(struct workload *w)
{
	touch_read(w, w->slot[READ], PAGES);
}

CASE(file_truncate) {
	.claim = "Truncating a file takes the pages cut off out of RssFile, and private copies of "
		 "them out of RssAnon; VIRT stays",
	.because = "truncate_pagecache() unmaps with even_cows = 1: beyond the end of the file not "
		   "even a private copy may remain. Growing the file again brings none of it back.",
	.said_by = SAID_BY("truncate(2)", "mmap(2), SIGBUS"),
	.steps = STEPS(STEP("map, read and copy", map_and_touch,
			    MOVES(VIRT_OTHER(PAGES), VIRT_DATA(PAGES), FILE_READ(PAGES),
				  ANON_WRITE(PAGES))),
		       STEP("cut in half", shrink, MOVES(FILE_READ(-HALF), ANON_WRITE(-HALF))),
		       STEP("grow again", grow),
		       STEP("read again", read_again, MOVES(FILE_READ(HALF)))),
};
