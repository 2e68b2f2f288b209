// SPDX-License-Identifier: MIT
/*
 * Draws what filled a cgroup's limit, one bar for each kind of memory that the workload reported:
 * "tmpfs: current", "tmpfs: working set" and "tmpfs: killed".
 */
#include "base/print/words.h"
#include "page/write.h"
#include "views.h"
#include <string.h>

/* WIDTH: of the fullest bar, of whatever the viewer makes a unit. */
enum { WIDTH = 1000, HEIGHT = 40 };

/* What is reported of one kind: "tmpfs" and "killed". -1: nothing. */
static int64_t reported_of(const json_t *step, const char *kind, const char *what)
{
	const json_t *value;
	char name[80];

	snprintf(name, sizeof(name), "%s: %s", kind, what);
	value = json_object_get(json_object_get(step, "reported"), name);
	return value ? json_integer_value(value) : -1;
}

/* "tmpfs" of "tmpfs: current"; false of another name. */
static bool kind_of(const char *name, char *kind, size_t size)
{
	const char *colon = strchr(name, ':');

	if (!colon || strcmp(colon + 2, "current"))
		return false;
	snprintf(kind, size, "%.*s", (int)(colon - name), name);
	return true;
}

static int64_t fullest(const json_t *step)
{
	const json_t *value;
	const char *name;
	char kind[64];
	int64_t most = 1;

	json_object_foreach((json_t *)json_object_get(step, "reported"), name, value)
	{
		if (kind_of(name, kind, sizeof(kind)) && json_integer_value(value) > most)
			most = json_integer_value(value);
	}
	return most;
}

static void bar(const json_t *step, const char *kind, int64_t page_kb, FILE *out)
{
	int64_t most = fullest(step), current = reported_of(step, kind, "current");
	int64_t working_set = reported_of(step, kind, "working set");
	bool killed = reported_of(step, kind, "killed") > 0;
	char charged[32], kept[32];

	html_put(out, "<figure><figcaption><b>%s</b>: %s. ", kind, killed ? "killed" : "lives");
	html_put(out, "memory.current %s kB, of it working set %s kB</figcaption>",
		 number_words(current * page_kb, charged, sizeof(charged)),
		 number_words(working_set * page_kb, kept, sizeof(kept)));
	html_put(out, "<svg viewBox=\"0 0 %d %d\" aria-hidden=\"true\">", WIDTH, HEIGHT);
	html_put(out,
		 "<rect class=\"s-0\" width=\"%d\" height=\"%d\"/>"
		 "<rect class=\"s-f\" width=\"%lld\" height=\"%d\"/>",
		 WIDTH, HEIGHT, (long long)(current * WIDTH / most), HEIGHT);
	html_put(out, "<rect class=\"s-%s\" width=\"%lld\" height=\"%d\"/></svg></figure>\n",
		 killed ? "s" : "a", (long long)(working_set * WIDTH / most), HEIGHT);
}

static void bars(const json_t *record, const struct spot *s, FILE *out)
{
	const json_t *step = course_step(record, s, s->step), *value;
	int64_t page_kb = json_integer_value(
				  json_object_get(json_object_get(record, "kernel"), "page_size")) /
			  1024;
	const char *name;
	char kind[64];

	json_object_foreach((json_t *)json_object_get(step, "reported"), name, value)
	{
		if (kind_of(name, kind, sizeof(kind)))
			bar(step, kind, page_kb, out);
	}
}

void view_limit(struct course *c, struct spot s)
{
	fputs("<h4>What the cgroup was charged for, with each kind of memory</h4>\n", c->out);
	course_slot(c, "div", " class=\"limits\"", bars, &s);
	fputs("<p class=\"rest\">Green: page cache on the inactive list, which the working set leaves out. Blue: "
	      "the working set; red: of a process that was killed.</p>\n",
	      c->out);
}
