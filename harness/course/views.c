// SPDX-License-Identifier: MIT
/* Draws the grid, the machine's memory, and its page cache. */
#include "views.h"
#include "base/print/words.h"
#include "page/write.h"
#include "picture.h"
#include "tree.h"
#include <string.h>

static int64_t in_cell(const json_t *cell, const char *name)
{
	return json_integer_value(json_object_get(cell, name));
}

/* ---- the grid ---- */

/*
 * Writes why the act was refused, and by how much it changed swapped, locked and lazyfree memory.
 */
static void put_others(const json_t *before, const json_t *after, FILE *out)
{
	static const char *const names[][2] = { { "smaps.Swap", "swap" },
						{ "VmLck", "locked" },
						{ "LazyFree", "lazyfree" } };
	int64_t refused = in_cell(after, "refused");
	char words[32];

	if (refused)
		html_put(out, "<br/><small class=\"refused\">%s</small>",
			 strerrorname_np((int)refused));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		int64_t by = in_cell(after, names[i][0]) - in_cell(before, names[i][0]);

		if (by)
			html_put(out, "<br/><small>%s %s</small>", names[i][1],
				 difference_words(by, words, sizeof(words)));
	}
}

static void grid_cell(const json_t *record, const struct spot *s, FILE *out)
{
	const json_t *before = record_grid(record, s->kind, NULL),
		     *after = record_grid(record, s->kind, s->act);
	int64_t by = in_cell(after, "VmRSS") - in_cell(before, "VmRSS");
	char words[32];

	course_number(record, s, out);
	if (by)
		html_put(out, " <small>%s</small>", difference_words(by, words, sizeof(words)));
	put_others(before, after, out);
}

static void put_row(struct course *c, struct spot s, const char *words)
{
	bool asked = s.act && !strcmp(s.act, s.lesson->act);

	html_put(c->out,
		 asked ? "<tr class=\"asked\"><th scope=\"row\">%s</th>"
		       : "<tr><th scope=\"row\">%s</th>",
		 words);
	for (const struct record_word *k = record_kinds; k->name; k++) {
		char name[80];

		snprintf(name, sizeof(name), "grid.%s%s%s.VmRSS", k->name, s.act ? "/" : "",
			 s.act ? s.act : "");
		s.name = name;
		s.kind = k->name;
		course_cell(c, &s, s.act ? grid_cell : course_number);
	}
	fputs("</tr>\n", c->out);
}

void view_grid(struct course *c, struct spot s)
{
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"The grid\"><table "
	      "class=\"kinds\"><caption>RES of four pages, or of a huge page, in kB after one "
	      "operation (small: the change of RES and of other numbers; EINVAL: the operation is "
	      "refused)</caption><thead><tr><th scope=\"col\">operation</th>",
	      c->out);
	for (const struct record_word *k = record_kinds; k->name; k++)
		html_put(c->out, "<th scope=\"col\">%s</th>", k->words);
	fputs("</tr></thead><tbody>\n", c->out);
	put_row(c, s, "before");
	for (const struct record_word *a = record_acts; a->name; a++) {
		s.act = a->name;
		put_row(c, s, a->words);
	}
	fputs("</tbody></table></div>\n", c->out);
}

/* ---- the machine ---- */

static void bar(const json_t *record, const struct spot *s, FILE *out)
{
	tree_draw(course_step(record, s, s->step), out);
}

static void answer(const json_t *record, const struct spot *s, FILE *out)
{
	const json_t *said = json_object_get(course_step(record, s, s->step), "answer"), *sentence;
	size_t i;

	json_array_foreach(said, i, sentence)
		html_put(out, "%s%s", i ? " " : "", json_string_value(sentence));
}

void view_machine(struct course *c, struct spot s)
{
	fputs("<div class=\"beside machine\"><div><h4>Before the line</h4>", c->out);
	s.step--;
	course_slot(c, "div", "", bar, &s);
	fputs("</div><div><h4>After it</h4>", c->out);
	s.step++;
	course_slot(c, "div", "", bar, &s);
	fputs("</div></div>\n<p class=\"reason\">The answer of <code>rssck machine</code> at that "
	      "moment: <q>",
	      c->out);
	course_slot(c, "span", "", answer, &s);
	fputs("</q></p>\n", c->out);
}

static void most_of(const json_t *record, const struct spot *s, FILE *out)
{
	const char *most = json_string_value(json_object_get(
		json_object_get(course_step(record, s, s->step), "most"), tree_name(s->part)));

	html_put(out, "%s", most ? most : "");
}

static bool is_anywhere(const struct course *c, const struct spot *s, unsigned p)
{
	for (size_t i = 0; i < c->nr; i++)
		for (size_t step = s->step - 1; step <= s->step; step++)
			if (tree_kb(course_step(c->records[i], s, step), p))
				return true;
	return false;
}

static void put_part(struct course *c, struct spot s, const char *part, const char *words)
{
	char name[64];

	html_put(c->out, "<tr><th scope=\"row\">%s</th>", words);
	snprintf(name, sizeof(name), "tree.%s", part);
	s.name = name;
	s.step--;
	course_cell(c, &s, course_number);
	s.step++;
	course_cell(c, &s, course_moved);
}

void view_machine_numbers(struct course *c, struct spot s)
{
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"All "
	      "memory\"><table class=\"parts\"><caption>All memory of the machine, added up page "
	      "by page, in kB</caption><thead><tr><th scope=\"col\">part</th><th "
	      "scope=\"col\">before</th><th scope=\"col\">after the line</th><th "
	      "scope=\"col\">largest holder</th></tr></thead><tbody>\n",
	      c->out);
	for (unsigned p = 0; p < tree_parts(); p++) {
		if (!is_anywhere(c, &s, p))
			continue;
		s.part = p;
		put_part(c, s, tree_name(p), tree_words(p));
		course_slot(c, "td", " class=\"most\"", most_of, &s);
		fputs("</tr>\n", c->out);
	}
	put_part(c, s, "total", "MemTotal");
	fputs("<td></td></tr>\n</tbody></table></div>\n", c->out);
}

/* ---- page cache that no process maps ---- */

static void processes(const json_t *record, const struct spot *s, FILE *out)
{
	picture_put(course_step(record, s, s->step), out);
}

static int64_t meminfo_kb(const json_t *step, const char *name)
{
	return json_integer_value(json_object_get(json_object_get(step, "machine"), name));
}

/* Both pictures, before and after the line, have the same scale. */
static void cache(const json_t *record, const struct spot *s, FILE *out)
{
	const json_t *asked = course_step(record, s, s->lesson->step);
	const json_t *step = course_step(record, s, s->step);
	int64_t page_kb = record_page_size(record) / 1024;
	int64_t tmpfs, files;
	char runs[64], words[96], number[32];
	uint64_t each;

	if (!step || !page_kb)
		return;
	each = picture_each((uint64_t)(meminfo_kb(asked, "Cached") / page_kb));
	tmpfs = meminfo_kb(step, "Shmem") / page_kb;
	files = meminfo_kb(step, "Cached") / page_kb - tmpfs;
	snprintf(words, sizeof(words), "%s pages of files in the page cache",
		 number_words(files, number, sizeof(number)));
	html_put(out,
		 "<div class=\"process\"><p class=\"who\">the machine</p><figure><figcaption>%s; ",
		 words);
	html_put(out, "a cell is %s pages.</figcaption>",
		 number_words((int64_t)each, number, sizeof(number)));
	snprintf(runs, sizeof(runs), "%lldf%lldm", (long long)files, (long long)tmpfs);
	picture_pages(runs, (uint64_t)(files + tmpfs), each, words, out);
	fputs("</figure></div>", out);
}

void view_cache(struct course *c, struct spot s)
{
	fputs("<div class=\"beside\"><div><h4>Before the line</h4>", c->out);
	s.step--;
	course_slot(c, "div", "", processes, &s);
	course_slot(c, "div", "", cache, &s);
	fputs("</div><div><h4>After it</h4>", c->out);
	s.step++;
	course_slot(c, "div", "", processes, &s);
	course_slot(c, "div", "", cache, &s);
	fputs("</div></div>\n", c->out);
	picture_legend(c->out);
}
