// SPDX-License-Identifier: MIT
/* MADV_DONTNEED throws a written private copy away: the file's page comes back. */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, REGION = 0 };

static void map_and_write(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				       workload_file(w, PAGES), 0);
	touch_read(w, w->slot[REGION], PAGES);
	touch_write(w, w->slot[REGION], HALF);
}

static void dontneed(struct workload *w)
{
	workload_must(w, madvise(w->slot[REGION], PAGES * w->page_size, MADV_DONTNEED),
		      "MADV_DONTNEED");
}

static void read_again(struct workload *w)
{
	const char *p = w->slot[REGION];

	touch_read(w, p, PAGES);
	for (size_t i = 0; i < HALF; i++)
		if (p[i * w->page_size])
			workload_fail(w, "page %zu is still the private copy", i);
}

CASE(file_dontneed_private_written) {
	.claim = "MADV_DONTNEED of a private file mapping discards the written copies: touched "
		 "again, the pages are RssFile, with the file's content",
	.because = "Removing the entry of a copy frees the copy, because nothing else refers to "
		   "it. The next fault goes to the page cache.",
	.said_by = SAID_BY("madvise(2), MADV_DONTNEED"),
	.steps = STEPS(STEP("map, read, write half", map_and_write,
			    MOVES(VIRT_DATA(PAGES), FILE_READ(HALF), ANON_WRITE(HALF))),
		       STEP("MADV_DONTNEED", dontneed, MOVES(FILE_READ(-HALF), ANON_WRITE(-HALF))),
		       STEP("read again", read_again, MOVES(FILE_READ(PAGES)))),
};
