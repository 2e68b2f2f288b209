// SPDX-License-Identifier: MIT
/* One touch of a cached file maps its neighbours too: one fault, many pages. */
#include <rssck/case.h>

enum {
	PAGES = 512,
	TRIES = 8,
	HOLDS = 1,
	LARGE = 0,
	STAYS = PAGES / 2 + 8,
	TOUCHED = PAGES / 2 + 2
};
STEP_SYMBOLS(TOUCH_ONE_PAGE, TOUCH_ONE_OF_A_LARGE_FOLIO);

/*
 * Touches the middle page of a file of PAGES pages whose bytes are `holds`; all numbers must count
 * the pages that are mapped then.
 */
static int64_t touch_middle(struct workload *w, int fd, char holds)
{
	char *p = workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE, fd);
	char *middle = p + PAGES / 2 * w->page_size;
	int64_t mapped;

	touch_read(w, middle, 1);
	if (workload_pages_present(w, middle, 1) != 1)
		workload_fail(w, "the page that was touched is not present");
	if (*middle != holds)
		workload_fail(w, "the page that was touched holds %d, not %d", *middle, holds);
	mapped = workload_pages_present(w, p, PAGES);
	w->slot[LARGE] = p;
	workload_expect(w, VIRT_OTHER(PAGES), FILE_READ(mapped));
	return mapped;
}

static void single_pages(struct workload *w)
{
	int fd = workload_file(w, PAGES);

	workload_cache(w, fd, PAGES);
	w->number[0] = touch_middle(w, fd, 0);
	workload_report(w, "pages", w->number[0]);
}

/*
 * Written in one call: the cache then has large folios, if the file system makes them and memory
 * has room. Repeated, because memory may be short of them.
 */
static void large_folios(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	char *data = workload_anonymous(w, PAGES);
	bool whole = false;

	data[PAGES / 2 * w->page_size] = HOLDS;
	for (int i = 0; i < TRIES && !whole; i++) {
		int fd = workload_file(w, PAGES);

		workload_needs_writeback(w, fd);
		if (pwrite(fd, data, bytes, 0) != (ssize_t)bytes || fsync(fd) < 0)
			workload_die(
				w, "a file that was just made could not be written or synced: %m");
		whole = touch_middle(w, fd, HOLDS) > w->number[0];
	}
	workload_unmap(w, data, bytes);
	workload_report(w, "whole", whole);
}

/* Around a mapped page: the pages before and after it are mapped and counted. */
static void around_one(struct workload *w)
{
	char *p = w->slot[LARGE];
	int64_t before = workload_pages_present(w, p, PAGES);

	/* The touches before may have mapped it, or not, depending on the folios. */
	touch_read(w, p + STAYS * w->page_size, 1);
	madvise(p, STAYS * w->page_size, MADV_DONTNEED);
	madvise(p + (STAYS + 1) * w->page_size, (PAGES - STAYS - 1) * w->page_size, MADV_DONTNEED);
	if (workload_pages_present(w, p, PAGES) != 1)
		workload_fail(w, "MADV_DONTNEED took more or less than all pages but one");
	touch_read(w, p + TOUCHED * w->page_size, 1);
	if (workload_pages_present(w, p + TOUCHED * w->page_size, 1) != 1)
		workload_fail(w, "the page that was touched is not present");
	workload_checked(w);
	workload_expect(w, FILE_READ(workload_pages_present(w, p, PAGES) - before));
}

/* fault_around_bytes in pages, from debugfs; 0 where it cannot be read. */
static int64_t setting(const struct trial *t)
{
	FILE *f = fopen("/sys/kernel/debug/fault_around_bytes", "re");
	long long bytes = 0;

	if (f && fscanf(f, "%lld", &bytes) != 1)
		bytes = 0;
	if (f)
		fclose(f);
	return bytes / t->host->page_size;
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t pages = trial_reported(t, TOUCH_ONE_PAGE, "pages"), set = setting(t);
	int64_t whole = trial_reported(t, TOUCH_ONE_OF_A_LARGE_FOLIO, "whole");

	judge_fact(j, "fault_around.pages", "%lld", (long long)pages);
	if (whole >= 0)
		judge_fact(j, "fault_around.maps_whole_large_folios", "%s", whole ? "yes" : "no");
	if (set)
		judge_equal(j, TOUCH_ONE_PAGE, "pages mapped by one fault", pages, set,
			    "one fault maps fault_around_bytes");
}

CASE(file_fault_around) {
	.claim = "One touch of a cached file maps 16 pages: RES rises by 64 kB for one byte read",
	.because = "do_fault_around() maps the cached pages of the aligned 64 kB around the "
		   "address, in one fault; since 6.18 it maps the whole of a large folio that it "
		   "finds. So a fault is not a measure of memory.",
	.said_by = SAID_BY("/sys/kernel/debug/fault_around_bytes"),
	.steps = STEPS(STEP_AS(TOUCH_ONE_PAGE, "touch one page", single_pages),
		       STEP_AS(TOUCH_ONE_OF_A_LARGE_FOLIO, "touch one of a large folio",
			       large_folios),
		       STEP("touch it around one", around_one, .checks = 1)),
	.posts = POSTS(VIRT_OTHER(1), FILE_READ(1)),
	/* The value of fault_around_bytes, a power of two: 16 pages by default. */
	.facts = FACTS(FACT("fault_around.pages",
			    "The pages that one read fault of a cached file maps are",
			    "1|2|4|8|16|32|64|128|256|512"),
		       FACT("fault_around.maps_whole_large_folios",
			    "Does fault-around map the whole of a large folio?", "yes|no")),
	.judge = judge,
};
