// SPDX-License-Identifier: MIT
/* Written pages of a shared file mapping stay file pages; msync makes them clean. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, FD = 0 };

static void sync_all(struct workload *w)
{
	workload_needs_writeback(w, w->fd[FD]);
	workload_must(w, msync(w->slot[REGION], PAGES * w->page_size, MS_SYNC), "msync");
}

static void write_again(struct workload *w)
{
	workload_needs_writeback(w, w->fd[FD]);
	touch_write(w, w->slot[REGION], PAGES / 2);
}

CASE(file_shared_write) {
	.claim = "Writing a shared file mapping makes its pages dirty and leaves them file "
		 "pages; msync makes them clean",
	.because = "The write goes to the page cache's own page, so the page stays a file page. "
		   "Writeback write-protects the mapping (page_mkclean()), so that the next "
		   "write faults.",
	.said_by = SAID_BY("proc_pid_smaps(5)", "Memory part 2: Understanding Process memory"),
	.steps = STEPS(STEP("map and write", step_map_file, .pages = PAGES, .mapping = MAP_SHARED,
			    .written = PAGES, MOVES(VIRT_OTHER(PAGES), FILE_WRITE(PAGES))),
		       STEP("msync", sync_all, MOVES(FILE_CLEANED(PAGES))),
		       STEP("write half again", write_again, MOVES(FILE_DIRTIED(PAGES / 2)))),
};
