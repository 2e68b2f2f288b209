// SPDX-License-Identifier: MIT
/*
 * Tests the machine-wide numbers that are checked in a guest that runs only rssck. The test writes
 * the files from which they are read.
 */
#include "atlas/guest.h"
#include "tests/support/test.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/rssck-guest.XXXXXX";

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void begin(void)
{
	strcpy(root + strlen(root) - 6, "XXXXXX");
	assert_non_null(mkdtemp(root));
}

static void end(void)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
}

static void put_pool(const char *all)
{
	put("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", all);
}

static void put_node(unsigned node, const char *of)
{
	char name[128];

	snprintf(name, sizeof(name),
		 "sys/devices/system/node/node%u/hugepages/hugepages-2048kB/free_hugepages", node);
	put(name, of);
}

static bool agrees(struct discrepancy *d)
{
	return guest_nodes_agree(root, 2048, "free_hugepages", d);
}

TEST(the_hugetlb_pool_is_the_sum_of_its_nodes_whatever_their_numbers)
{
	struct discrepancy d;

	begin();
	put_pool("11\n");
	put_node(0, "8\n");
	put_node(3, "0\n");
	put_node(255, "3\n");
	put("sys/devices/system/node/possible", "0-255\n");
	assert_true(agrees(&d));
	put_node(255, "2\n");
	assert_false(agrees(&d));
	assert_int_equal(d.rule, RULE_HUGETLB_NODES);
	assert_int_equal(d.counter, 11);
	assert_int_equal(d.precise, 10);
	end();
}

TEST(without_nodes_or_a_hugetlb_pool_nothing_is_compared)
{
	struct discrepancy d;

	begin();
	assert_true(agrees(&d));
	put_pool("4\n");
	assert_true(agrees(&d));
	end();
}

TEST(pinned_pages_are_the_acquired_minus_the_released)
{
	int64_t of[GUEST_NUMBERS];

	begin();
	put("proc/vmstat", "nr_free_pages 3\nnr_foll_pin_acquired 9\nnr_foll_pin_released 7\n");
	guest_read(root, of);
	assert_int_equal(of[GUEST_PINNED], 2);
	assert_int_equal(of[GUEST_HUGETLB], -1);
	put("proc/vmstat", "nr_hugetlb 512\nnr_foll_pin_acquired 9\n");
	guest_read(root, of);
	assert_int_equal(of[GUEST_PINNED], -1);
	assert_int_equal(of[GUEST_HUGETLB], 512);
	end();
}
