// SPDX-License-Identifier: MIT
/*
 * Tests the machine-wide numbers that are checked in a guest that runs only rssck. The test writes
 * the files from which they are read.
 */
#include "atlas/guest.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

static void put_pool(const char *all)
{
	folder_put("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", all);
}

static void put_node(unsigned node, const char *of)
{
	char name[128];

	snprintf(name, sizeof(name),
		 "sys/devices/system/node/node%u/hugepages/hugepages-2048kB/free_hugepages", node);
	folder_put(name, of);
}

static bool agrees(struct discrepancy *d)
{
	return guest_nodes_agree(in_folder("."), 2048, "free_hugepages", d);
}

/* This test comes first, because the folder is still empty. */
TEST(without_nodes_or_a_hugetlb_pool_nothing_is_compared)
{
	struct discrepancy d;

	assert_true(agrees(&d));
	put_pool("4\n");
	assert_true(agrees(&d));
}

TEST(the_hugetlb_pool_is_the_sum_of_its_nodes_whatever_their_numbers)
{
	struct discrepancy d;

	put_pool("11\n");
	put_node(0, "8\n");
	put_node(3, "0\n");
	put_node(255, "3\n");
	folder_put("sys/devices/system/node/possible", "0-255\n");
	assert_true(agrees(&d));
	put_node(255, "2\n");
	assert_false(agrees(&d));
	assert_int_equal(d.rule, RULE_HUGETLB_NODES);
	assert_int_equal(d.counter, 11);
	assert_int_equal(d.precise, 10);
}

TEST(pinned_pages_are_the_acquired_minus_the_released)
{
	int64_t of[GUEST_NUMBERS];

	folder_put("proc/vmstat",
		   "nr_free_pages 3\nnr_foll_pin_acquired 9\nnr_foll_pin_released 7\n");
	guest_read(in_folder("."), of);
	assert_int_equal(of[GUEST_PINNED], 2);
	assert_int_equal(of[GUEST_HUGETLB], -1);
	folder_put("proc/vmstat", "nr_hugetlb 512\nnr_foll_pin_acquired 9\n");
	guest_read(in_folder("."), of);
	assert_int_equal(of[GUEST_PINNED], -1);
	assert_int_equal(of[GUEST_HUGETLB], 512);
}
