// SPDX-License-Identifier: MIT
/* The reader of numa_maps: lines as show_numa_map() writes them, and damaged lines. */
#include "tests/support/recorded.h"

static const char sound
	[] = "00400000 default file=/usr/bin/a\\040b=c mapped=3 mapmax=2 active=1 N0=2 N1=1 "
	     "kernelpagesize_kB=4\n"
	     "7f0000000000 bind=static:1 anon=256 dirty=128 swapcache=5 active=0 N1=256 "
	     "kernelpagesize_kB=4\n"
	     "7f0000200000 default\n"
	     "7f0000400000 prefer:0 file=/anon_hugepage\\040(deleted) huge anon=1 dirty=1 N0=1 "
	     "kernelpagesize_kB=2048\n";

static int read_it(struct snapshot *s, const char *text, struct source_error *e)
{
	static const uint64_t starts[] = { 0x400000, 0x7f0000000000, 0x7f0000200000, 0x7f0000400000,
					   0x7f0000800000 };
	static struct mapping maps[5];

	memset(maps, 0, sizeof(maps));
	for (size_t i = 0; i < 5; i++)
		maps[i].start = starts[i];
	*s = (struct snapshot) { .maps = maps, .nr_maps = 5 };
	return numa_read(text, strlen(text), 4096, s, e);
}

static int64_t of(const struct mapping *m, enum metric_id id)
{
	return m->numa[id - METRIC_NUMA_FIRST];
}

TEST(each_mapping_has_its_own_numbers)
{
	struct source_error e = { .text = "" };
	struct snapshot s;

	assert_int_equal(read_it(&s, sound, &e), 0);
	assert_int_equal(of(&s.maps[0], METRIC_NUMA_PAGES), 3);
	assert_int_equal(of(&s.maps[0], METRIC_NUMA_MAPPED), 3);
	assert_int_equal(mapping_on_node(&s.maps[0], 0), 2);
	assert_int_equal(mapping_on_node(&s.maps[0], 1), 1);
	assert_int_equal(mapping_on_node(&s.maps[0], 2), 0);
	assert_int_equal(of(&s.maps[1], METRIC_NUMA_ANON), 256);
	assert_int_equal(of(&s.maps[1], METRIC_NUMA_DIRTY), 128);
	assert_int_equal(of(&s.maps[1], METRIC_NUMA_SWAPCACHE), 5);
	assert_true(s.maps[2].numa_read);
	assert_false(s.maps[4].numa_read);
}

/* A node may have any number, and a mapping may lie on any number of nodes. */
TEST(a_machine_of_many_nodes)
{
	static const char on_eight[] = "00400000 default anon=36 N0=1 N1=2 N2=3 N3=4 N4=5 N5=6 "
				       "N6=7 N8=8\n";
	static const char on_nine[] = "00400000 default anon=9 N0=1 N1=1 N2=1 N3=1 N4=1 N5=1 N6=1 "
				      "N7=1 N1023=1\n";
	struct source_error e = { .text = "" };
	struct snapshot s;

	assert_int_equal(read_it(&s, "00400000 default anon=3 N8=1 N252=2\n", &e), 0);
	assert_int_equal(mapping_on_node(&s.maps[0], 8), 1);
	assert_int_equal(mapping_on_node(&s.maps[0], 252), 2);
	assert_int_equal(mapping_on_node(&s.maps[0], 0), 0);
	/*
	 * Up to eight nodes are kept. If there are more, the pages of the others are unknown (-1).
	 */
	assert_int_equal(read_it(&s, on_eight, &e), 0);
	assert_int_equal(mapping_on_node(&s.maps[0], 6), 7);
	assert_int_equal(mapping_on_node(&s.maps[0], 8), 8);
	assert_int_equal(mapping_on_node(&s.maps[0], 7), 0);
	assert_int_equal(read_it(&s, on_nine, &e), 0);
	assert_int_equal(s.maps[0].nr_nodes, 9);
	assert_int_equal(mapping_on_node(&s.maps[0], 0), 1);
	assert_int_equal(of(&s.maps[0], METRIC_NUMA_PAGES), 9);
	assert_int_equal(mapping_on_node(&s.maps[0], 7), 1);
	assert_int_equal(mapping_on_node(&s.maps[0], 1023), -1);
}

TEST(mapped_is_not_printed_if_it_equals_anon)
{
	struct source_error e = { .text = "" };
	struct snapshot s;

	assert_int_equal(read_it(&s, sound, &e), 0);
	assert_int_equal(of(&s.maps[1], METRIC_NUMA_MAPPED), 256);
}

TEST(hugetlb_is_counted_separately_in_base_pages)
{
	struct source_error e = { .text = "" };
	struct snapshot s;

	assert_int_equal(read_it(&s, sound, &e), 0);
	assert_int_equal(of(&s.maps[3], METRIC_NUMA_HUGETLB), 512);
	assert_int_equal(of(&s.maps[3], METRIC_NUMA_PAGES), 0);
	assert_int_equal(of(&s.maps[3], METRIC_NUMA_ANON), 0);
	assert_int_equal(s.values.of[METRIC_NUMA_HUGETLB], 512);
	assert_int_equal(s.values.of[METRIC_NUMA_PAGES], 259);
	assert_int_equal(s.values.of[METRIC_NUMA_ANON], 256);
}

TEST(a_damaged_file_is_an_error_and_leaves_no_values)
{
	static const char *const damaged[] = {
		"00400000 default N0=3",   /* cut off */
		"nonsense\n",              /* no address */
		"00500000 default N0=3\n", /* a mapping that smaps does not have */
		/* Numbers, sums and products that are too large. */
		"00400000 default anon=99999999999999999999 N0=1\n",
		"00400000 default N0=9223372036854775807 N1=1\n",
		"00400000 default N0=9223372036854775807\n7f0000000000 default N0=1\n",
		"00400000 default huge N0=9223372036854775807 kernelpagesize_kB=2048\n",
		"00400000 default huge N0=1 kernelpagesize_kB=9223372036854775807\n",
	};

	for (size_t i = 0; i < sizeof(damaged) / sizeof(*damaged); i++) {
		struct source_error e = { .text = "" };
		struct snapshot s;

		assert_int_equal(read_it(&s, damaged[i], &e), -1);
		assert_true(e.text[0]);
		assert_all_absent(&s.values, SOURCE_NUMA);
		assert_int_equal(s.values.of[METRIC_NUMA_PAGES], 0);
	}
}
