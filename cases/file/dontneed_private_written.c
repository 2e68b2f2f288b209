// SPDX-License-Identifier: MIT
/* MADV_DONTNEED discards written private copies; the next read maps the file's pages. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2 };

CASE(file_dontneed_private_written) {
	.claim =
		"MADV_DONTNEED of a private file mapping discards the written copies: the next read maps RssFile pages with the file's content",
	.because = "When MADV_DONTNEED clears the entry of a copy, the copy is freed if nothing "
		   "else refers to it. The next fault maps the page cache.",
	.said_by = SAID_BY("madvise(2), MADV_DONTNEED"),
	.steps = STEPS(STEP("map, read, write half", step_map_file, .pages = PAGES, .read = PAGES,
			    .written = HALF,
			    MOVES(VIRT_DATA(PAGES), FILE_READ(HALF), ANON_WRITE(HALF))),
		       STEP("MADV_DONTNEED", step_advise, .pages = PAGES, .advice = MADV_DONTNEED,
			    MOVES(FILE_READ(-HALF), ANON_WRITE(-HALF))),
		       STEP("read again", step_read_zeroes, .pages = PAGES, .checks = 1,
			    MOVES(FILE_READ(PAGES)))),
};
