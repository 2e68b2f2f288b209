// SPDX-License-Identifier: MIT
/* The table of the lines that cases check. */
#include "machine/checked.h"
#include "tests/support/test.h"
#include <rssck/case.h>

static bool is_case(const char *id, size_t len)
{
	size_t nr;
	const struct case_registration *all = cases_all(&nr);
	char one[64];

	for (size_t i = 0; i < nr; i++)
		if (strlen(case_id(&all[i], one, sizeof(one))) == len && !strncmp(one, id, len))
			return true;
	return false;
}

TEST(each_row_has_cases_that_exist_or_a_reason)
{
	size_t nr;
	const struct checked *rows = lines_checked(&nr);

	assert_true(nr > 0);
	for (size_t i = 0; i < nr; i++) {
		assert_true(!rows[i].cases != !rows[i].why_not);
		for (const char *p = rows[i].cases; p && *p; p += strspn(p, " ")) {
			size_t len = strcspn(p, " ");

			if (!is_case(p, len))
				fail_msg("%.*s is no case", (int)len, p);
			p += len;
		}
	}
}

TEST(the_first_row_that_names_a_line_counts)
{
	assert_string_equal(line_checked("memory.stat", "sock")->cases, "cgroup/stat_sock");
	assert_non_null(line_checked("meminfo", "DirectMap2M")->why_not);
	assert_non_null(line_checked("vmstat", "pgalloc_normal")->why_not);
	assert_null(line_checked("meminfo", "NoSuchLine"));
	assert_null(line_checked("nofile", "anon"));
}
