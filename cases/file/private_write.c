// SPDX-License-Identifier: MIT
/* Writing a private file mapping moves its pages from RssFile to RssAnon. */
#include <rssck/case.h>

enum { PAGES = 256, REGION = 0, FD = 0 };

static void write_half(struct workload *w)
{
	char byte;

	touch_write(w, w->slot[REGION], PAGES / 2);
	for (size_t i = 0; i < PAGES / 2; i++)
		if (pread(w->fd[FD], &byte, 1, (off_t)(i * w->page_size)) != 1 || byte)
			workload_fail(w, "writing the private copy changed page %zu of the file",
				      i);
}

CASE(file_private_write) {
	.claim = "Writing half of a private file mapping moves those pages from RssFile to "
		 "RssAnon: RES does not change, and SHR falls",
	.because = "The write fault copies the page, and the copy is anonymous. So the mm's file "
		   "counter falls by one and its anon counter rises by one. The file does not "
		   "change.",
	.said_by = SAID_BY("Memory part 2: Understanding Process memory", "proc_pid_status(5)"),
	.steps = STEPS(STEP("map and read", step_map_file, .pages = PAGES, .read = PAGES,
			    MOVES(FILE_READ(PAGES), VIRT_DATA(PAGES))),
		       STEP("write half", write_half, MOVES(FILE_TO_ANON(PAGES / 2)))),
};
