// SPDX-License-Identifier: MIT
/* fsync makes pages of a shared mapping clean; private copies stay dirty. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, SHARED = 0, COPY = 1, FD = 0 };

static void map_and_write(struct workload *w)
{
	w->fd[FD] = workload_file(w, 2 * PAGES);
	workload_case_needs_writeback(w, w->fd[FD]);
	w->slot[SHARED] = workload_shared(w, PAGES, w->fd[FD]);
	w->slot[COPY] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				     w->fd[FD], (off_t)(PAGES * w->page_size));
	touch_write(w, w->slot[SHARED], PAGES);
	touch_write(w, w->slot[COPY], PAGES);
}

static void sync_data(struct workload *w)
{
	workload_must(w, fdatasync(w->fd[FD]), "fdatasync");
}

CASE(file_fsync_cleans) {
	.claim = "In a shared file mapping fsync makes dirty pages clean: Private_Dirty becomes "
		 "Private_Clean. Private copies that were written stay dirty",
	.because = "Writeback cleans and write-protects the page in every mapping "
		   "(page_mkclean()), and changes no RSS. A private copy belongs to no file, so "
		   "no writeback cleans it.",
	.said_by = SAID_BY("fsync(2)", "proc_pid_smaps(5)"),
	.steps = STEPS(STEP("map and write", map_and_write,
			    MOVES(VIRT_OTHER(PAGES), VIRT_DATA(PAGES), FILE_WRITE(PAGES),
				  ANON_WRITE(PAGES))),
		       STEP("fdatasync", sync_data, MOVES(FILE_CLEANED(PAGES))),
		       STEP("write half again", step_write, .slot = SHARED, .pages = HALF,
			    MOVES(FILE_DIRTIED(HALF))),
		       STEP("fsync", step_sync, MOVES(FILE_CLEANED(HALF)))),
};
