// SPDX-License-Identifier: MIT
/* The page of the grid as text: well-formed, and not too heavy. */
#include "cmd/recorded.h"
#include "page/atlas.h"
#include "tests/support/made_up.h"
#include "tests/support/markup.h"
#include "tests/support/test.h"

enum { BYTES_MAX = 2400000 };

TEST(the_page_is_well_formed_and_has_a_cell_for_each_entry)
{
	OWNED(grids_free) struct grids g;
	FILE *out = printing();
	size_t links = 0, entries = 0;
	char *text;

	grids_recorded(&g, "results");
	assert_true(g.nr > 0);
	assert_int_equal(report_atlas(&g, out), 0);
	text = printed(out);
	markup_read(text);
	for (const char *p = text; (p = strstr(p, "<a href=\"#e")); p++)
		links++;
	for (const char *p = text; (p = strstr(p, "<section id=\"e")); p++)
		entries++;
	assert_true(entries > 1000);
	assert_int_equal(links, entries);
	if (strlen(text) >= BYTES_MAX)
		fail_msg("the page has %zu bytes", strlen(text));
}

TEST(no_string_of_a_record_becomes_markup)
{
	static struct grid one = { .page_size = 4096, .nr_kinds = 1, .nr_acts = 1 };
	struct results named = { .kernel_release = "" };
	struct grids g = { &one, 1, { &named, 1 } };
	FILE *out = printing();

	snprintf(one.release, sizeof(one.release), "%s", hostile);
	snprintf(named.kernel_release, sizeof(named.kernel_release), "%s", hostile);
	snprintf(one.kinds[0], GRID_NAME, "<script>\"'");
	snprintf(one.acts[0], GRID_NAME, "]]></style>");
	one.before[0] = (struct grid_cell) { true, { [GRID_SIZE] = 16 } };
	one.after[0][0] = (struct grid_cell) { true, { [GRID_ERRNO] = 9999 } };
	assert_int_equal(report_atlas(&g, out), 0);
	markup_read(printed(out));
}
