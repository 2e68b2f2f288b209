// SPDX-License-Identifier: MIT
/* Numbers of fields in texts of the kernel, and options of its command line. */
#include "base/kernel_file.h"
#include "tests/support/test.h"

TEST(a_field_is_found_by_its_whole_name)
{
	static const char text[] = "SwapCached: 9 kB\nCached:\t 7 kB\nanon_thp 3\nanon 4096\n";

	assert_int_equal(kernel_number_in(text, "Cached", -1), 7);
	assert_int_equal(kernel_number_in(text, "anon", -1), 4096);
	assert_int_equal(kernel_number_in(text, "thp", -1), -1);
	assert_int_equal(kernel_number_in("", "anon", 5), 5);
}

TEST(the_first_line_with_a_number_counts)
{
	assert_int_equal(kernel_number_in("max none\nmax 4\nmax 5", "max", -1), 4);
	assert_int_equal(kernel_number_in("VmPTE: 18446744073709551612 kB\n", "VmPTE", 0), -4);
	assert_int_equal(kernel_number_in("Slab: 99999999999999999999 kB\n", "Slab", -1), -1);
}

static bool has(const char *text, const char *option, const char *values)
{
	char line[128];

	snprintf(line, sizeof(line), "%s", text);
	return kernel_option_has(line, option, values);
}

TEST(an_option_is_found_by_its_whole_name_and_one_of_its_values)
{
	static const char line[] = "quiet cgroup.memory=nokmem,nosocket rcu_nocbs nohz_full=1\n";

	assert_true(has(line, "cgroup.memory", "nosocket"));
	assert_true(has(line, "cgroup.memory", "nobpf,nokmem"));
	assert_false(has(line, "cgroup.memory", "nobpf"));
	assert_false(has(line, "cgroup.memory", "no"));
	assert_false(has(line, "memory", "nokmem"));
	assert_true(has(line, "nohz_full", "1"));
	assert_false(has(line, "rcu_nocbs", "1"));
	assert_false(has(line, "quiet", "nokmem"));
	assert_false(has("", "quiet", "nokmem"));
	assert_true(has("cgroup.memory=nokmem cgroup.memory=nobpf", "cgroup.memory", "nobpf"));
}
