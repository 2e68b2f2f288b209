// SPDX-License-Identifier: MIT
/* The table of the lines of meminfo, vmstat and memory.stat that cases check. */
#include "machine/checked.h"
#include "tests/support/test.h"
#include <rssck/case.h>

TEST(each_row_has_cases_that_exist_or_a_reason)
{
	size_t nr;
	const struct checked *rows = lines_checked(&nr);

	assert_true(nr > 0);
	for (size_t i = 0; i < nr; i++) {
		assert_true(!rows[i].cases != !rows[i].why_not);
		for (const char *p = rows[i].cases; p && *p; p += strspn(p, " ")) {
			char id[64];

			snprintf(id, sizeof(id), "%.*s", (int)strcspn(p, " "), p);
			if (!case_by_id(id))
				fail_msg("%s is no case", id);
			p += strlen(id);
		}
	}
}

TEST(the_first_row_that_matches_a_line_is_used)
{
	assert_string_equal(line_checked("memory.stat", "sock")->cases, "cgroup/stat_sock");
	assert_non_null(line_checked("meminfo", "DirectMap2M")->why_not);
	assert_non_null(line_checked("vmstat", "pgalloc_normal")->why_not);
	assert_null(line_checked("meminfo", "NoSuchLine"));
	assert_null(line_checked("nofile", "anon"));
}
