// SPDX-License-Identifier: MIT
/*
 * PAGEMAP_SCAN's ranges, counted by category: made up by an ioctl() that stands
 * here in place of the C library's.
 */
#include "pagetable/scanner.h"
#include "tests/support/recorded.h"
#include <errno.h>
#include <sys/ioctl.h>

enum { PAGE = 4096, ALWAYS = SCAN_PRESENT };

/* Page n of the mapping is the first of 2^n pages with that category. */
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

/* All ranges fit into the vector, as they do for a kernel. */
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
	m = (struct mapping) { .start = 1UL << 30, .end = 2UL << 30, .name = "", .flags = flags };
	if (scan_read(-1, &h, 64, &s, &e))
		fail_msg("%s", e.text);
	return s;
}

static void test_each_category_has_its_own_number(void **state)
{
	struct snapshot s = scanned(true, "rd");

	(void)state;
	for (int i = 0; i < CATEGORIES; i++)
		assert_value(&s.values, categories[i].id, 1 << i);
	assert_value(&s.values, METRIC_SCAN_PRESENT, (1 << CATEGORIES) - 1);
	assert_value(&s.values, METRIC_SCAN_SWAPPED, 3);
	assert_value(&s.values, METRIC_SCAN_GUARD, 5);
}

static void test_a_kernel_that_knows_no_guards_is_asked_again_without(void **state)
{
	struct snapshot s = scanned(false, "rd");

	(void)state;
	assert_false(s.values.have[METRIC_SCAN_GUARD]);
	assert_true(s.values.have[METRIC_SCAN_PRESENT]);
}

/* The sums are compared with RSS, which has no hugetlb. */
static void test_hugetlb_is_in_no_sum_of_file_and_huge(void **state)
{
	struct snapshot s = scanned(true, "rd ht");

	(void)state;
	assert_value(&s.values, METRIC_SCAN_FILE, 0);
	assert_value(&s.values, METRIC_SCAN_HUGE, 0);
	assert_value(&s.values, METRIC_SCAN_PRESENT, (1 << CATEGORIES) - 1);
	assert_int_equal(s.maps[0].scan.file, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_category_has_its_own_number),
		cmocka_unit_test(test_a_kernel_that_knows_no_guards_is_asked_again_without),
		cmocka_unit_test(test_hugetlb_is_in_no_sum_of_file_and_huge),
	};

	return cmocka_run_group_tests_name("source_scan", tests, NULL, NULL);
}
