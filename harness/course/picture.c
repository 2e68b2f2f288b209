// SPDX-License-Identifier: MIT
/*
 * Draws mappings as rows of cells. A cell is one page; in a large mapping it is several pages, a
 * power of two.
 */
#include "picture.h"
#include "base/print/words.h"
#include "page/write.h"
#include "record.h"
#include "space.h"
#include <ctype.h>

enum { ROW = 64, CELLS = 8 * ROW, SIZE = 10, STATES = 128 };

void picture_patterns(FILE *out)
{
	fputs("<svg class=\"patterns\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>"
	      "<pattern id=\"grid\" width=\"10\" height=\"10\" patternUnits=\"userSpaceOnUse\">"
	      "<path d=\"M10 0V10H0\" class=\"grid\"/></pattern>"
	      "<pattern id=\"others\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
	      "patternTransform=\"rotate(45)\"><path d=\"M0 0V5\" class=\"others\"/></pattern>"
	      "</defs></svg>\n",
	      out);
}

#define SHAPE "x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"/>"

static void rect(char state, unsigned x, unsigned y, unsigned width, unsigned height, FILE *out)
{
	fprintf(out, "<rect class=\"s-%c\" ",
		state == SPACE_NONE ? '0' : tolower((unsigned char)state));
	fprintf(out, SHAPE, x * SIZE, y * SIZE, width * SIZE, height * SIZE);
	if (!isupper((unsigned char)state))
		return;
	fputs("<rect fill=\"url(#others)\" ", out);
	fprintf(out, SHAPE, x * SIZE, y * SIZE, width * SIZE, height * SIZE);
}

void picture_legend(FILE *out)
{
	fputs("<ul class=\"legend\">", out);
	for (const char *s = space_states; *s; s++) {
		fputs("<li><svg viewBox=\"0 0 20 10\" aria-hidden=\"true\">", out);
		rect(*s, 0, 0, 2, 1, out);
		html_put(out,
			 "<rect fill=\"url(#grid)\" width=\"20\" height=\"10\"/></svg> %s</li>",
			 space_words(*s));
	}
	fputs("<li><svg viewBox=\"0 0 20 10\" aria-hidden=\"true\">", out);
	rect('A', 0, 0, 2, 1, out);
	fputs("</svg> striped: other processes map it as well</li></ul>\n", out);
}

/*
 * Draws a run of cells as up to three rectangles: the end of a row, whole rows, and the beginning
 * of a row.
 */
static void draw_run(char state, unsigned from, unsigned to, FILE *out)
{
	while (from < to) {
		unsigned left = from % ROW, end = from + ROW - left < to ? ROW - left : to - from;

		if (!left && to - from >= ROW) {
			rect(state, 0, from / ROW, ROW, (to - from) / ROW, out);
			end = (to - from) / ROW * ROW;
		} else {
			rect(state, left, from / ROW, end, 1, out);
		}
		from += end;
	}
}

uint64_t picture_each(uint64_t pages)
{
	uint64_t each = 1;

	while ((pages + each - 1) / each > CELLS)
		each *= 2;
	return each;
}

void picture_pages(const char *runs, uint64_t pages, uint64_t each, const char *words, FILE *out)
{
	char cells[CELLS];
	unsigned nr = space_cells(runs, pages, each, cells), rows = (nr + ROW - 1) / ROW;
	unsigned width = rows > 1 ? ROW : nr;

	html_put(out, "<svg viewBox=\"0 0 %u %u\" role=\"img\" aria-label=\"%s\">", ROW * SIZE,
		 rows * SIZE, words);
	for (unsigned from = 0, to; from < nr; from = to) {
		for (to = from + 1; to < nr && cells[to] == cells[from];)
			to++;
		draw_run(cells[from], from, to, out);
	}
	html_put(out, "<rect fill=\"url(#grid)\" width=\"%u\" height=\"%u\"/></svg>", width * SIZE,
		 rows * SIZE);
}

/* Prints "128 anonymous; 128 on swap". Shared pages (capital letters) are listed separately. */
static void words_of(const char *runs, FILE *out)
{
	uint64_t sum[STATES] = { 0 };
	const char *comma = "";
	unsigned long length;
	char number[32];

	for (char state; (state = space_run(&runs, &length));)
		sum[(unsigned char)state % STATES] += length;
	for (const char *s = space_states; *s; s++)
		for (int others = 0; others <= !!isalpha((unsigned char)*s); others++) {
			int state = others ? toupper((unsigned char)*s) : *s;

			if (!sum[state])
				continue;
			fprintf(out, "%s%s %s%s", comma,
				number_words((int64_t)sum[state], number, sizeof(number)),
				space_words(*s), others ? " (other processes map them, too)" : "");
			comma = "; ";
		}
}

static void put_map(const json_t *map, FILE *out)
{
	const char *name = json_string_value(json_object_get(map, "name"));
	const char *runs = json_string_value(json_object_get(map, "runs"));
	uint64_t pages = (uint64_t)json_integer_value(json_object_get(map, "pages"));
	uint64_t each = picture_each(pages);
	char words[512], number[32];
	FILE *memory = fmemopen(words, sizeof(words), "w");

	words[0] = '\0';
	if (!memory)
		return;
	words_of(runs ? runs : "", memory);
	fclose(memory);
	html_put(out, "<figure><figcaption><b>%s</b> <code>%s</code> ",
		 name && *name ? name : "anonymous",
		 json_string_value(json_object_get(map, "mode")));
	html_put(out, "%s pages: %s", number_words((int64_t)pages, number, sizeof(number)), words);
	html_put(out, "; %s kB dirty",
		 number_words(json_integer_value(json_object_get(map, "dirty")), number,
			      sizeof(number)));
	if (each > 1)
		html_put(out, ". A cell (%s pages) shows the first that is in memory or on swap",
			 number_words((int64_t)each, number, sizeof(number)));
	fputs(".</figcaption>", out);
	picture_pages(runs ? runs : "", pages, each, words, out);
	fputs("</figure>", out);
}

static void put_process(const json_t *process, const char *who, FILE *out)
{
	const json_t *maps = json_object_get(process, "maps"), *map;
	char pages[32], rss[32];
	size_t i;

	html_put(out, "<div class=\"process\"><p class=\"who\">%s</p>", who);
	json_array_foreach(maps, i, map)
	{
		if (json_object_get(map, "runs")) {
			put_map(map, out);
			continue;
		}
		html_put(out, "<p class=\"rest\">%s, %lld mappings, ",
			 i ? "Not drawn: the program itself and all other mappings"
			   : "Only the program itself",
			 (long long)json_integer_value(json_object_get(map, "maps")));
		html_put(out, "%s pages of address space, %s kB resident.</p>",
			 number_words(json_integer_value(json_object_get(map, "pages")), pages,
				      sizeof(pages)),
			 number_words(json_integer_value(json_object_get(map, "rss")), rss,
				      sizeof(rss)));
	}
	fputs("</div>", out);
}

static const char *who_is(size_t i, int64_t all)
{
	static const char *const children[] = { "parent", "first child", "second child" };

	return all < 2 ? "process" : i == 1 && all < 3 ? "child" : children[i];
}

void picture_sizes(const json_t *record, const json_t *step, FILE *out)
{
	const json_t *processes = json_object_get(step, "processes"), *process;
	int64_t all = json_integer_value(
		json_object_get(json_object_get(step, "sums"), "processes"));
	size_t i;

	json_array_foreach(processes, i, process)
	{
		char rss[32], pss[32];

		if (!json_object_get(process, "numbers"))
			continue;
		html_put(out, "%s%s: ", i ? "; " : "", who_is(i, all));
		html_put(out, "RES %s kB, PSS %s kB",
			 record_words(record, step, i, "smaps.Rss", rss, sizeof(rss)),
			 record_words(record, step, i, "smaps.Pss", pss, sizeof(pss)));
	}
}

void picture_put(const json_t *step, FILE *out)
{
	const json_t *processes = json_object_get(step, "processes"), *process;
	int64_t all = json_integer_value(
		json_object_get(json_object_get(step, "sums"), "processes"));
	size_t i;

	if (!step) {
		fputs("<p>This line could not run on this kernel.</p>", out);
		return;
	}
	fputs("<div class=\"processes\">", out);
	json_array_foreach(processes, i, process)
	{
		if (json_object_get(process, "maps"))
			put_process(process, who_is(i, all), out);
	}
	fputs("</div>", out);
	if (all > RECORD_PROCESSES)
		html_put(out, "<p class=\"rest\">%lld more children are like these.</p>",
			 (long long)(all - RECORD_PROCESSES));
}
