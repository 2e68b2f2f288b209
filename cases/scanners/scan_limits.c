// SPDX-License-Identifier: MIT
/*
 * PAGEMAP_SCAN of a range, with any limits, masks and flags, must report and protect what scans of
 * each page alone report, up to the first limit.
 */
#include <rssck/case.h>

STEP_SYMBOLS(REPORT, PROTECT);

#ifndef PM_SCAN_CHECK_WPASYNC
#define PM_SCAN_CHECK_WPASYNC (1 << 1) /* <linux/fs.h> */
#endif

enum { FINE, WRONG, IMPOSSIBLE };

/* Each is the memory of one page table; layout() says what it maps. */
enum table { HUGE, PATTERN, EMPTY, HUGE_PROTECTED, HUGE_TOO, TABLES };
enum { VECTOR = 64, MOST = 1100, UNWATCHED = 8 };

/* W: written, Z: read (the zero page), S: paged out, A: untouched; small letters: protected. */
static const char pattern[] = "WWwZAAWSSwWWWaAwwsSzZWWA";
enum { PATTERN_PAGES = sizeof(pattern) - 1 };

#define EVERY (SCAN_WRITTEN | SCAN_PRESENT | SCAN_SWAPPED | SCAN_PFNZERO | SCAN_HUGE)

static const struct question {
	uint64_t inverted, mask, anyof, shows;
} questions[] = {
	{ 0, SCAN_WRITTEN, 0, SCAN_WRITTEN },
	{ 0, SCAN_WRITTEN, 0, EVERY },
	{ 0, SCAN_PRESENT, SCAN_WRITTEN | SCAN_PFNZERO, SCAN_PRESENT | SCAN_WRITTEN },
	{ 0, 0, SCAN_SWAPPED | SCAN_WRITTEN, SCAN_SWAPPED | SCAN_WRITTEN },
	{ SCAN_PFNZERO, SCAN_PFNZERO, 0, SCAN_WRITTEN | SCAN_WPALLOWED },
	{ 0, 0, 0, EVERY },
	{ SCAN_WRITTEN, SCAN_WRITTEN, 0, EVERY },
	{ 0, SCAN_WPALLOWED | SCAN_PRESENT, 0, SCAN_PRESENT },
	{ SCAN_PRESENT | SCAN_SWAPPED, SCAN_PRESENT | SCAN_SWAPPED, 0, EVERY },
	{ SCAN_PRESENT, 0, SCAN_PRESENT | SCAN_SWAPPED, SCAN_SWAPPED },
	{ 0, 0, 0, 0 },
};

enum {
	QUESTIONS = sizeof(questions) / sizeof(*questions),
	QUESTIONS_THAT_PROTECT = 6, /* they show SCAN_WRITTEN */
};

/* Ranges of pages: from a table's page, or before its end, to another's. */
static const struct window {
	enum table from;
	int skips;
	enum table to;
	int takes;
} windows[] = {
	{ PATTERN, -5, PATTERN, PATTERN_PAGES }, { HUGE, 0, PATTERN, 9 },
	{ PATTERN, 0, PATTERN, PATTERN_PAGES },  { EMPTY, -PATTERN_PAGES, HUGE_PROTECTED, 7 },
	{ HUGE_TOO, -3, HUGE_TOO, 6 },           { HUGE_TOO, 3, TABLES, -2 },
	{ TABLES, -4, TABLES, UNWATCHED - 1 },
};

enum { WINDOWS = sizeof(windows) / sizeof(*windows) };

static struct {
	char *map, *p;
	size_t page, table; /* table: pages that a page table maps */
	int pagemap, uffd;
} place;

/* What scans of each page of the window report, and what one scan should. */
static struct {
	const struct question *asks;
	size_t first, pages;
	bool matches[MOST], was_protected[MOST], is_protected[MOST];
	uint64_t categories[MOST];
	struct scan_region regions[VECTOR];
	size_t nr, stop,
		next; /* the page after the last one that fits; the next one that matches */
} model;

static size_t first_of(const struct window *w)
{
	return (size_t)((long)(w->from * place.table) + w->skips);
}

static size_t end_of(const struct window *w)
{
	return (size_t)((long)(w->to * place.table) + w->takes);
}

static char *page_at(size_t i)
{
	return place.p + i * place.page;
}

static bool protect(size_t i, size_t pages)
{
	return !workload_userfaultfd_protect(place.uffd, page_at(i), pages * place.page, true);
}

static bool make_page(size_t i, char state)
{
	char *p = page_at(i);

	if (strchr("WwSs", state))
		*(volatile char *)p = 1;
	if (strchr("Zz", state))
		(void)*(volatile char *)p;
	if (strchr("Ss", state))
		madvise(p, place.page, MADV_PAGEOUT);
	return !strchr("wzsa", state) || protect(i, 1);
}

static bool make_pattern(size_t first)
{
	for (size_t i = 0; i < PATTERN_PAGES; i++)
		if (!make_page(first + i, pattern[i]))
			return false;
	return true;
}

static bool make_huge(const struct window *in, enum table table)
{
	if (first_of(in) >= (table + 1) * place.table || end_of(in) <= table * place.table)
		return true;
	madvise(page_at(table * place.table), place.table * place.page, MADV_HUGEPAGE);
	for (size_t i = 0; i < place.table; i++)
		*(volatile char *)page_at(table * place.table + i) = 1;
	return true;
}

/* Only tables in the window get huge pages. The last pages are not registered. */
static bool layout(const struct window *in)
{
	size_t bytes = TABLES * place.table * place.page,
	       room = bytes + 2 * place.table * place.page;

	if (place.map) {
		munmap(place.map, room);
		close(place.uffd);
	}
	place.map = workload_try_map(room, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	place.uffd = workload_open_userfaultfd(UFFD_FEATURE_WP_ASYNC);
	if (!place.map || place.uffd < 0)
		return false;
	place.p = place.map + place.table * place.page -
		  (uintptr_t)place.map % (place.table * place.page);
	madvise(place.p, bytes + UNWATCHED * place.page, MADV_NOHUGEPAGE);
	memset(place.p + bytes, 1, UNWATCHED * place.page);
	return !workload_register_userfaultfd(place.uffd, place.p, bytes,
					      UFFDIO_REGISTER_MODE_WP) &&
	       make_huge(in, HUGE) && make_pattern(PATTERN * place.table) &&
	       make_pattern(EMPTY * place.table - PATTERN_PAGES) && make_huge(in, HUGE_PROTECTED) &&
	       protect(HUGE_PROTECTED * place.table, place.table) && make_huge(in, HUGE_TOO);
}

static struct scan_arg arg_of(size_t first, size_t pages, struct scan_region *regions, size_t nr)
{
	return (struct scan_arg) { SCAN_OF(page_at(first), pages * place.page, regions, nr),
				   .category_inverted = model.asks->inverted,
				   .category_mask = model.asks->mask,
				   .category_anyof_mask = model.asks->anyof,
				   .return_mask = model.asks->shows };
}

static bool read_protected(bool *is)
{
	static uint64_t words[MOST];
	size_t size = model.pages * sizeof(*words);
	off_t at = (off_t)((uintptr_t)page_at(model.first) / place.page * sizeof(*words));

	if (pread(place.pagemap, words, size, at) != (ssize_t)size)
		return false;
	for (size_t i = 0; i < model.pages; i++)
		is[i] = words[i] & PAGEMAP_UFFD_WP;
	return true;
}

/* A scan that protects leaves out memory that is not registered, and splits huge pages. */
static bool scan_each(const struct window *w, const struct question *q, bool protects)
{
	static struct question asks;
	struct scan_region region;

	asks = *q;
	asks.shows &= protects ? ~(uint64_t)SCAN_HUGE : ~0ULL;
	model.asks = &asks;
	model.first = first_of(w);
	model.pages = end_of(w) - model.first;
	for (size_t i = 0; i < model.pages; i++) {
		struct scan_arg arg = arg_of(model.first + i, 1, &region, 1);
		int n = ioctl(place.pagemap, SCAN_IOCTL, &arg);

		if (n < 0)
			return false;
		model.matches[i] = n > 0 && !(protects && model.first + i >= TABLES * place.table);
		model.categories[i] = region.categories;
	}
	return read_protected(model.was_protected);
}

static void expect_regions(size_t max_pages, size_t vec_len)
{
	struct scan_region *last = NULL;
	size_t found = 0;

	model.nr = 0;
	model.stop = 0;
	for (size_t i = 0; i < model.pages; i++) {
		uint64_t at = (uintptr_t)page_at(model.first + i);
		bool joins = last && last->end == at && last->categories == model.categories[i];

		model.next = i;
		if (!model.matches[i])
			continue;
		if (found == max_pages || (!joins && model.nr == vec_len))
			return;
		if (!joins) {
			last = &model.regions[model.nr++];
			*last = (struct scan_region) { at, at, model.categories[i] };
		}
		last->end += place.page;
		found++;
		model.stop = i + 1;
	}
	model.next = model.pages;
}

static int wrong(const struct scan_arg *arg, const char *what, uint64_t is, uint64_t should)
{
	return workload_say(WRONG,
			    "pages %zu to %zu, inverted %#x, mask %#x, anyof %#x, return %#x, "
			    "max_pages %d, vec_len %d: %s %#llx, should be %#llx",
			    model.first, model.first + model.pages, (unsigned)model.asks->inverted,
			    (unsigned)model.asks->mask, (unsigned)model.asks->anyof,
			    (unsigned)model.asks->shows, (int)arg->max_pages, (int)arg->vec_len,
			    what, (unsigned long long)is, (unsigned long long)should);
}

static uint64_t page_of(uint64_t address)
{
	return (address - (uintptr_t)place.p) / place.page;
}

/* walk_end must be such that a scan from there on finds the rest. */
static int scan_must_be(size_t max_pages, size_t vec_len, uint64_t flags)
{
	struct scan_region regions[VECTOR];
	struct scan_arg arg = arg_of(model.first, model.pages, regions, vec_len);
	const struct scan_arg *a = &arg;
	int n;

	arg.max_pages = max_pages;
	arg.flags = flags;
	expect_regions(max_pages ? max_pages : model.pages, vec_len);
	n = ioctl(place.pagemap, SCAN_IOCTL, &arg);
	if (n != (int)model.nr)
		return wrong(a, "number of ranges", (uint64_t)n, model.nr);
	for (int i = 0; i < n; i++) {
		const struct scan_region *r = &model.regions[i];

		if (regions[i].start != r->start)
			return wrong(a, "first page of a range", page_of(regions[i].start),
				     page_of(r->start));
		if (regions[i].end != r->end)
			return wrong(a, "end of a range", page_of(regions[i].end), page_of(r->end));
		if (regions[i].categories != r->categories)
			return wrong(a, "categories", regions[i].categories, r->categories);
	}
	if (page_of(arg.walk_end) < model.first + model.stop ||
	    page_of(arg.walk_end) > model.first + model.next)
		return wrong(a, "walk_end at page", page_of(arg.walk_end),
			     model.first + model.next);
	return FINE;
}

static int must_protect(size_t max_pages, size_t vec_len, uint64_t flags)
{
	struct scan_arg arg = { .max_pages = max_pages, .vec_len = vec_len };
	int result = scan_must_be(max_pages, vec_len, flags);

	if (!result && !read_protected(model.is_protected))
		return workload_say(IMPOSSIBLE, "pagemap: %m");
	for (size_t i = 0; i < model.pages && !result; i++) {
		bool takes = model.matches[i] && i < model.stop;
		bool is = model.is_protected[i];

		/* Kernels differ in whether a match that is not written is protected. */
		if (takes && !(model.categories[i] & SCAN_WRITTEN) && !model.was_protected[i])
			continue;
		if (is != (takes || model.was_protected[i]))
			result = wrong(&arg, is ? "protects page" : "does not protect page",
				       model.first + i, model.first + i);
	}
	return result;
}

static bool begin(const struct workload *w)
{
	place.page = w->page_size;
	place.table = workload_table_bytes(w) / w->page_size;
	place.pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	errno = ENOTSUP;
	return place.pagemap >= 0 && 2 * place.table < MOST - VECTOR;
}

static size_t matching(void)
{
	size_t n = 0;

	for (size_t i = 0; i < model.pages; i++)
		n += model.matches[i];
	return n;
}

static int try_limits(void)
{
	size_t n = matching(), t = place.table;
	const size_t most[] = { 0, 1, 2, 3, 4, 5, 7, 11, n - 1, n, n + 1, t - 1, t, t + 1 };
	static const size_t lengths[] = { 1, 2, 3, 5, VECTOR };
	int result = FINE;

	for (size_t i = 0; i < sizeof(most) / sizeof(*most); i++)
		for (size_t j = 0; j < sizeof(lengths) / sizeof(*lengths) && !result; j++)
			result = scan_must_be(most[i], lengths[j], 0);
	return result;
}

static int report(const struct workload *w)
{
	int result = FINE;

	if (!begin(w))
		return workload_say(IMPOSSIBLE, "%m");
	for (size_t i = 0; i < WINDOWS && !result; i++) {
		if (!layout(&windows[i]))
			return workload_say(IMPOSSIBLE, "%m");
		for (size_t q = 0; q < QUESTIONS && !result; q++)
			result = scan_each(&windows[i], &questions[q], false)
					 ? try_limits()
					 : workload_say(IMPOSSIBLE, "PAGEMAP_SCAN: %m");
	}
	return result;
}

static int protect_window(const struct window *in, const struct question *q)
{
	static const struct {
		size_t most, length;
	} limits[] = { { 0, VECTOR }, { 1, VECTOR }, { 7, 2 }, { 511, VECTOR } };
	uint64_t flags = PM_SCAN_WP_MATCHING | (in->from == TABLES ? 0 : PM_SCAN_CHECK_WPASYNC);
	int result = FINE;

	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits) && !result; i++)
		result = layout(in) && scan_each(in, q, true)
				 ? must_protect(limits[i].most, limits[i].length, flags)
				 : workload_say(IMPOSSIBLE, "PAGEMAP_SCAN: %m");
	return result;
}

static int protect_each(const struct workload *w)
{
	int result = FINE;

	if (!begin(w))
		return workload_say(IMPOSSIBLE, "%m");
	for (size_t i = 0; i < WINDOWS; i++)
		for (size_t q = 0; q < QUESTIONS_THAT_PROTECT && !result; q++)
			result = protect_window(&windows[i], &questions[q]);
	return result;
}

static void in_child(struct workload *w, int (*fn)(const struct workload *w))
{
	char text[512];
	int result = workload_in_child_that_says(w, fn, text, sizeof(text));

	if (result == WRONG)
		workload_fail(w, "%s", text);
	if (result == IMPOSSIBLE)
		workload_skip_step(w, "memory for userfaultfd and PAGEMAP_SCAN: %s", text);
	workload_checked(w);
}

static void report_step(struct workload *w)
{
	in_child(w, report);
}

static void protect_step(struct workload *w)
{
	in_child(w, protect_each);
}

CASE(scanners_scan_limits) {
	.claim = "PAGEMAP_SCAN of a range reports, and with PM_SCAN_WP_MATCHING protects, the same "
		 "pages as scans of each page alone, up to max_pages and vec_len, in huge pages, "
		 "small pages and holes",
	.because =
		"pagemap_scan_output() joins neighbouring pages of equal categories, and cuts at "
		"the first limit. A huge page of which only a part is to be protected is split "
		"and scanned again by pages (pagemap_scan_backout_range()).",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst: PAGEMAP_SCAN"),
	.needs = NEEDS("scan"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(REPORT, "report", report_step, .checks = 1),
		       STEP_AS(PROTECT, "report and protect", protect_step, .checks = 1)),
};
