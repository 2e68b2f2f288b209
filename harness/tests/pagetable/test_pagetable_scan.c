// SPDX-License-Identifier: MIT
/*
 * The ranges of PAGEMAP_SCAN are counted by category. A made-up ioctl() replaces that of the C
 * library.
 */
#include "pagetable/scanner.h"
#include "tests/support/recorded.h"
#include <errno.h>
#include <sys/ioctl.h>

enum { PAGE = 4096, ALWAYS = SCAN_PRESENT };

#define BASE (1ULL << 30)

/* Page n of the mapping is the first of 2^n pages with this category. */
static const struct {
	uint64_t category;
	enum metric_id id;
} categories[] = {
	{ SCAN_FILE, METRIC_SCAN_FILE },           { SCAN_PFNZERO, METRIC_SCAN_PFNZERO },
	{ SCAN_HUGE, METRIC_SCAN_HUGE },           { SCAN_WRITTEN, METRIC_SCAN_WRITTEN },
	{ SCAN_WPALLOWED, METRIC_SCAN_WPALLOWED }, { SCAN_SOFT_DIRTY, METRIC_SCAN_SOFT_DIRTY },
};

enum { CATEGORIES = sizeof(categories) / sizeof(*categories) };

static bool has_guards;

/* A signal interrupts this many scans before one succeeds. */
static int interruptions;

/*
 * Each scan returns one range, which ends this many bytes after the scan's start. If the first is
 * 0, ioctl() returns the pages of `categories` instead.
 */
static int64_t ends_behind[3];
static int nr_calls;

static int one_range(struct scan_arg *arg)
{
	struct scan_region *to = (struct scan_region *)(uintptr_t)arg->vec;

	assert_true(nr_calls <= 2); /* without this the caller would loop for ever */
	*to = (struct scan_region) { arg->start, arg->start + (uint64_t)ends_behind[nr_calls++],
				     SCAN_PRESENT };
	/* walk_end is stale, as after a vector of more ranges than do_pagemap_scan() buffers. */
	arg->walk_end = arg->start;
	return 1;
}

/* All ranges fit into the vector. */
int ioctl(int fd, unsigned long request, ...)
{
	struct scan_region *to;
	struct scan_arg *arg;
	uint64_t at;
	va_list args;

	(void)fd;
	va_start(args, request);
	arg = va_arg(args, struct scan_arg *);
	va_end(args);
	if (!has_guards && arg->return_mask & SCAN_GUARD) {
		errno = EINVAL;
		return -1;
	}
	if (interruptions > 0) {
		interruptions--;
		errno = EINTR;
		return -1;
	}
	if (ends_behind[0])
		return one_range(arg);
	to = (struct scan_region *)(uintptr_t)arg->vec;
	at = arg->start;
	for (int i = 0; i < CATEGORIES; i++, at = to++->end)
		*to = (struct scan_region) { at, at + (PAGE << i),
					     ALWAYS | categories[i].category };
	*to++ = (struct scan_region) { at, at + 3 * PAGE, SCAN_SWAPPED };
	*to++ = (struct scan_region) { at + 3 * PAGE, at + 8 * PAGE, SCAN_SWAPPED | SCAN_GUARD };
	return CATEGORIES + 2;
}

static struct snapshot scanned(bool guards, const char *flags)
{
	static struct mapping m;
	const struct host h = { .page_size = PAGE, .has_scan = true };
	struct source_error e = { .text = "" };
	struct snapshot s = { .maps = &m, .nr_maps = 1 };

	has_guards = guards;
	m = (struct mapping) { .start = BASE, .end = 2 * BASE, .name = "", .flags = flags };
	if (scan_read(-1, &h, 64, &s, &e))
		fail_msg("%s", e.text);
	return s;
}

TEST(each_category_has_its_own_sum)
{
	struct snapshot s = scanned(true, "rd");

	for (int i = 0; i < CATEGORIES; i++)
		assert_value(&s.values, categories[i].id, 1 << i);
	assert_value(&s.values, METRIC_SCAN_PRESENT, (1 << CATEGORIES) - 1);
	assert_value(&s.values, METRIC_SCAN_SWAPPED, 3);
	assert_value(&s.values, METRIC_SCAN_GUARD, 5);
}

TEST(a_kernel_without_guards_is_scanned_again_without_that_category)
{
	struct snapshot s = scanned(false, "rd");

	assert_false(s.values.have[METRIC_SCAN_GUARD]);
	assert_true(s.values.have[METRIC_SCAN_PRESENT]);
}

/* These sums are compared with RSS, which has no hugetlb pages. */
TEST(hugetlb_is_not_in_the_sums_of_file_and_huge)
{
	struct snapshot s = scanned(true, "rd ht");

	assert_value(&s.values, METRIC_SCAN_FILE, 0);
	assert_value(&s.values, METRIC_SCAN_HUGE, 0);
	assert_value(&s.values, METRIC_SCAN_PRESENT, (1 << CATEGORIES) - 1);
	assert_int_equal(s.maps[0].scan.file, 1);
}

TEST(a_signal_while_scanning_is_no_error)
{
	struct snapshot s;

	interruptions = 3;
	s = scanned(true, "rd");
	assert_int_equal(interruptions, 0);
	assert_value(&s.values, METRIC_SCAN_GUARD, 5);
}

static int add_up(const struct scan_region *r, void *arg)
{
	*(uint64_t *)arg += r->end - r->start;
	return 0;
}

/* Scans with a vector of one range; adds up the bytes found in *sum. */
static int scan_by_ones(const int64_t *ends, uint64_t *sum)
{
	struct scanner sc;
	int error;

	memcpy(ends_behind, ends, sizeof(ends_behind));
	nr_calls = 0;
	*sum = 0;
	has_guards = true;
	assert_int_equal(scanner_open(&sc, -1, 1), 0);
	error = scanner_run(&sc, BASE, BASE + 8 * PAGE, add_up, sum);
	scanner_close(&sc);
	ends_behind[0] = 0;
	return error;
}

TEST(a_full_vector_is_continued_after_its_last_range)
{
	uint64_t sum;

	assert_int_equal(scan_by_ones((const int64_t[]) { 3 * PAGE, 1 * PAGE, 4 * PAGE }, &sum), 0);
	assert_int_equal(sum, 8 * PAGE);
	assert_int_equal(nr_calls, 3);
}

/* A range that ends at or before the start of the scan would make the loop endless. */
TEST(a_scan_that_does_not_advance_is_an_error)
{
	uint64_t sum;

	assert_int_equal(scan_by_ones((const int64_t[]) { -PAGE, -PAGE, -PAGE }, &sum), -EIO);
	assert_int_equal(scan_by_ones((const int64_t[]) { 3 * PAGE, 0, 0 }, &sum), -EIO);
	assert_int_equal(nr_calls, 2);
}

static int stop_at_once(const struct scan_region *r, void *arg)
{
	(void)r;
	++*(int *)arg;
	return 7;
}

TEST(a_scan_stops_on_request)
{
	struct scanner sc;
	int asked = 0;

	has_guards = true;
	assert_int_equal(scanner_open(&sc, -1, 64), 0);
	assert_int_equal(scanner_run(&sc, BASE, 2 * BASE, stop_at_once, &asked), 7);
	assert_int_equal(asked, 1);
	scanner_close(&sc);
}
