// SPDX-License-Identifier: MIT
/* Reads and draws the memory that was charged to a cgroup with a limit. */
#include "limit.h"
#include "base/print/words.h"
#include "page/write.h"
#include "record.h"
#include "views.h"
#include <string.h>

/* WIDTH is the length of the longest bar, in units of the SVG's viewBox. */
enum { WIDTH = 1000, HEIGHT = 40 };

/* Returns the number that the workload reported as "KIND: WHAT", or 0 if it reported none. */
static int64_t reported_of(json_t *reported, const char *kind, const char *what)
{
	char name[64];

	snprintf(name, sizeof(name), "%s: %s", kind, what);
	return json_integer_value(json_object_get(reported, name));
}

size_t limit_rows(const json_t *record, const json_t *step, struct limit_row rows[LIMIT_ROWS])
{
	json_t *reported = json_object_get(step, "reported"), *value;
	int64_t page_kb = record_page_size(record) / 1024;
	const char *name;
	size_t nr = 0;

	json_object_foreach(reported, name, value)
	{
		const char *colon = strchr(name, ':');
		struct limit_row *row = &rows[nr];

		if (!colon || strcmp(colon + 2, "killed") || nr == LIMIT_ROWS)
			continue;
		snprintf(row->kind, sizeof(row->kind), "%.*s", (int)(colon - name), name);
		row->killed = json_integer_value(value) > 0;
		row->current_kb = reported_of(reported, row->kind, "current") * page_kb;
		row->working_set_kb = reported_of(reported, row->kind, "working set") * page_kb;
		nr++;
	}
	return nr;
}

static void bar(const struct limit_row *row, int64_t most, FILE *out)
{
	char charged[32], kept[32];

	html_put(out, "<figure><figcaption><b>%s</b>: %s. ", row->kind,
		 row->killed ? "killed" : "lives");
	html_put(out, "memory.current %s kB, including a working set of %s kB</figcaption>",
		 number_words(row->current_kb, charged, sizeof(charged)),
		 number_words(row->working_set_kb, kept, sizeof(kept)));
	html_put(out,
		 "<svg viewBox=\"0 0 %d %d\" aria-hidden=\"true\"><rect class=\"s-0\" "
		 "width=\"%d\" height=\"%d\"/>",
		 WIDTH, HEIGHT, WIDTH, HEIGHT);
	html_put(out, "<rect class=\"s-f\" width=\"%lld\" height=\"%d\"/>",
		 (long long)(row->current_kb * WIDTH / most), HEIGHT);
	html_put(out, "<rect class=\"s-%s\" width=\"%lld\" height=\"%d\"/></svg></figure>\n",
		 row->killed ? "s" : "a", (long long)(row->working_set_kb * WIDTH / most), HEIGHT);
}

static void bars(const json_t *record, const struct spot *s, FILE *out)
{
	struct limit_row rows[LIMIT_ROWS];
	size_t nr = limit_rows(record, course_step(record, s, s->step), rows);
	int64_t most = 1;

	for (size_t i = 0; i < nr; i++)
		most = rows[i].current_kb > most ? rows[i].current_kb : most;
	for (size_t i = 0; i < nr; i++)
		bar(&rows[i], most, out);
}

void view_limit(struct course *c, struct spot s)
{
	fputs("<h4>The charge of the cgroup, with each kind of memory</h4>\n", c->out);
	course_slot(c, "div", " class=\"limits\"", bars, &s);
	fputs("<p class=\"rest\">Green is page cache on the inactive list, which the working set does not include. Blue is "
	      "the working set, or red if the process was killed.</p>\n",
	      c->out);
}
