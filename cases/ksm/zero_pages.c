// SPDX-License-Identifier: MIT
/* With use_zero_pages KSM puts the zero page in the place of pages of zeroes: they leave RES. */
#include <fcntl.h>
#include <rssck/case.h>
#include <unistd.h>

enum { PAGES = 64, HALF = PAGES / 2, REGION = 0, TRIES = 400, PAUSE_US = 20000 };

#define SETTING "/sys/kernel/mm/ksm/use_zero_pages"

static void set(struct workload *w, const char *value)
{
	int fd = open(SETTING, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, value, 1) != 1)
		workload_skip(w, SETTING ": %m");
	close(fd);
}

/* Written, and zero all the same. */
static void write_zeroes(struct workload *w)
{
	volatile char *p = w->slot[REGION] = workload_anonymous(w, PAGES);

	for (size_t i = 0; i < PAGES; i++)
		p[i * w->page_size] = 0;
}

static void merge(struct workload *w)
{
	int64_t left = PAGES;

	set(w, "1");
	if (madvise(w->slot[REGION], PAGES * w->page_size, MADV_MERGEABLE) < 0)
		workload_skip(w, "MADV_MERGEABLE: %m");
	for (int i = 0; i < TRIES && left; i++) {
		usleep(PAUSE_US);
		left = workload_pages_private(w, w->slot[REGION]);
	}
	set(w, "0");
	if (left)
		workload_skip(w, "a ksmd that replaces %d pages of zeroes in 8 s", PAGES);
}

/* Each its own content, or ksmd would merge them with one another. */
static void write_half(struct workload *w)
{
	volatile char *p = w->slot[REGION];

	for (size_t i = 0; i < HALF; i++)
		p[i * w->page_size] = (char)(i + 1);
}

CASE(ksm_zero_pages) {
	.claim = "Zero-filled pages that KSM replaces by the zero page leave RES; a write makes "
		 "them RES again",
	.because = "replace_page() lowers MM_ANONPAGES when it puts the zero page in the place of "
		   "a page; the zero page is in no counter.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst, use_zero_pages"),
	.needs = NEEDS("ksm", "guest"),
	.limit_s = 30,
	.steps = STEPS(STEP("write zeroes", write_zeroes,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP("MADV_MERGEABLE", merge, MOVES(ANON_WRITE(-PAGES), ZERO_READ(PAGES))),
		       STEP("write half", write_half, MOVES(ZERO_TO_ANON(HALF)))),
};
