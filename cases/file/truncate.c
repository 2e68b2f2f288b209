// SPDX-License-Identifier: MIT
/*
 * Truncating a file removes the pages beyond its new end, even private copies, from every mapping.
 * VIRT does not change.
 */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, READ = 0, COPY = 1, FD = 0 };

static void map_and_touch(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	workload_case_needs_kept_cache(w, w->fd[FD]);
	w->slot[READ] = workload_map_pages(w, PAGES, PROT_READ, MAP_SHARED, w->fd[FD]);
	w->slot[COPY] = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE,
					   w->fd[FD]);
	touch_read(w, w->slot[READ], PAGES);
	touch_write(w, w->slot[COPY], PAGES);
}

CASE(file_truncate) {
	.claim = "Truncating a file removes the pages beyond its new end from RssFile, and "
		 "private copies of them from RssAnon; VIRT does not change",
	.because = "truncate_pagecache() unmaps with even_cows = 1: beyond the end of the file not "
		   "even a private copy may remain. When the file grows again, its new pages read "
		   "as zeroes.",
	.said_by = SAID_BY("truncate(2)", "mmap(2), SIGBUS"),
	.steps = STEPS(STEP("map, read and copy", map_and_touch,
			    MOVES(VIRT_OTHER(PAGES), VIRT_DATA(PAGES), FILE_READ(PAGES),
				  ANON_WRITE(PAGES))),
		       STEP("truncate to half", step_truncate, .pages = HALF,
			    MOVES(FILE_READ(-HALF), ANON_WRITE(-HALF))),
		       STEP("grow again", step_truncate, .pages = PAGES),
		       STEP("read again", step_read, .slot = READ, .pages = PAGES,
			    MOVES(FILE_READ(HALF)))),
};
