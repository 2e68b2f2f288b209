// SPDX-License-Identifier: MIT
/* One touch of a cached file maps the neighbouring pages, too: one fault, many pages. */
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
 * Touches the middle page of a file; the page's first byte must be `holds`. Returns how many pages
 * pagemap then shows, and expects every number to count them.
 */
static int64_t touch_middle(struct workload *w, int fd, char holds)
{
	char *p = workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE, fd);
	char *middle = p + PAGES / 2 * w->page_size;
	int64_t mapped;

	touch_read(w, middle, 1);
	if (workload_pages_present(w, middle, 1) != 1)
		workload_fail(w, "the touched page is not present");
	if (*middle != holds)
		workload_fail(w, "the touched page contains %d, not %d", *middle, holds);
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
 * Writes the file in one call, so that the cache has large folios if the file system makes them and
 * memory is free. Tries several files, because memory may be fragmented.
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
			workload_die(w, "writing or syncing a new file failed: %m");
		whole = touch_middle(w, fd, HOLDS) > w->number[0];
	}
	workload_unmap(w, data, bytes);
	workload_report(w, "whole", whole);
}

static void around_one(struct workload *w)
{
	char *p = w->slot[LARGE];
	int64_t before = workload_pages_present(w, p, PAGES);

	/* Maps the page that stays, because the fault in the large folio may not have mapped it. */
	touch_read(w, p + STAYS * w->page_size, 1);
	madvise(p, STAYS * w->page_size, MADV_DONTNEED);
	madvise(p + (STAYS + 1) * w->page_size, (PAGES - STAYS - 1) * w->page_size, MADV_DONTNEED);
	if (workload_pages_present(w, p, PAGES) != 1)
		workload_fail(w, "MADV_DONTNEED did not leave exactly one page");
	touch_read(w, p + TOUCHED * w->page_size, 1);
	if (workload_pages_present(w, p + TOUCHED * w->page_size, 1) != 1)
		workload_fail(w, "the touched page is not present");
	workload_checked(w);
	workload_expect(w, FILE_READ(workload_pages_present(w, p, PAGES) - before));
}

static int64_t setting(const struct trial *t)
{
	return workload_number("/sys/kernel/debug/fault_around_bytes", NULL, 0) /
	       t->host->page_size;
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t pages = trial_reported(t, TOUCH_ONE_PAGE, "pages"), set = setting(t);
	int64_t whole = trial_reported(t, TOUCH_ONE_OF_A_LARGE_FOLIO, "whole");

	judge_fact(j, "fault_around.pages", "%lld", (long long)pages);
	if (whole >= 0)
		judge_yes_no(j, "fault_around.maps_whole_large_folios", whole);
	if (set)
		judge_equal(j, TOUCH_ONE_PAGE, "pages mapped by one fault", pages, set,
			    "one fault maps fault_around_bytes");
}

CASE(file_fault_around) {
	.claim =
		"A read fault in a cached file also maps the cached pages around the address: RES rises by up to fault_around_bytes, 64 kB by default. A large folio may be mapped as a whole: before 6.18 only one of the size of a PMD, since 6.18 any that lies within the mapping, one page table and the file",
	.because =
		"do_fault_around() maps, in one fault, the cached pages of the aligned fault_around_bytes (64 kB by default) around the address. filemap_map_pmd() maps a folio of the size of a PMD as a whole; since 6.18 (357b92761d94) filemap_map_folio_range() does so with other large folios. So the number of faults does not show how much memory is mapped.",
	.said_by = SAID_BY("/sys/kernel/debug/fault_around_bytes"),
	.steps = STEPS(STEP_AS(TOUCH_ONE_PAGE, "touch one page", single_pages),
		       STEP_AS(TOUCH_ONE_OF_A_LARGE_FOLIO, "touch a page of a large folio",
			       large_folios),
		       STEP("touch around one page", around_one, .checks = 1)),
	.posts = POSTS(VIRT_OTHER(1), FILE_READ(1)),
	/*
	 * Any power of two is possible, because fault_around_bytes can be set; the default is
	 * 64 kB, which is 16 pages of 4 kB.
	 */
	.facts = FACTS(FACT("fault_around.pages",
			    "The pages that one read fault of a cached file maps are",
			    "1|2|4|8|16|32|64|128|256|512"),
		       FACT("fault_around.maps_whole_large_folios",
			    "Does fault-around map all pages of a large folio?", "yes|no")),
	.judge = judge,
};
