// SPDX-License-Identifier: MIT
/* MADV_POPULATE_READ brings zero pages, MADV_POPULATE_WRITE memory. */
#include <rssck/case.h>

/* <sys/mman.h> of 5.14 */
enum { POPULATE_READ = 22, POPULATE_WRITE = 23 };

enum { PAGES = 256, REGION = 0 };

static void populate(struct workload *w, size_t pages, int how)
{
	if (madvise(w->slot[REGION], pages * w->page_size, how) < 0)
		workload_skip(w, "MADV_POPULATE_%s: %m", how == POPULATE_READ ? "READ" : "WRITE");
}

static void populate_read(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
	populate(w, PAGES, POPULATE_READ);
}

static void populate_one(struct workload *w)
{
	populate(w, 1, POPULATE_WRITE);
}

static void populate_write(struct workload *w)
{
	populate(w, PAGES, POPULATE_WRITE);
}

CASE(anonymous_populate) {
	.claim = "MADV_POPULATE_READ maps zero pages, which are in no RSS; MADV_POPULATE_WRITE "
		 "allocates memory",
	.because = "Both take the fault of an access without making the access: a read of "
		   "untouched memory maps the zero page, a write allocates a page.",
	.said_by = SAID_BY("madvise(2), MADV_POPULATE_READ"),
	.steps = STEPS(STEP("populate for reading", populate_read,
			    MOVES(VIRT_DATA(PAGES), ZERO_READ(PAGES))),
		       STEP("one page for writing", populate_one, MOVES(ZERO_TO_ANON(1))),
		       STEP("all for writing", populate_write, MOVES(ZERO_TO_ANON(PAGES - 1))),
		       STEP("once more", populate_write)),
};
