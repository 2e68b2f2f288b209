// SPDX-License-Identifier: MIT
/* Cases and facts, and the most informative cases about a metric. */
#include "explain.h"
#include "runs/notes.h"
#include <stdlib.h>
#include <string.h>

/* ---- which cases ---- */

/* At least this many cases that move the metric are listed, even if they do not mention it. */
enum { LEAST_SHOWN = 3 };

/* Returns the field's name, which texts use: "VmHWM" of "status.VmHWM". */
static const char *field_name(const struct metric *m)
{
	const char *dot = strchr(m->name, '.');

	return dot ? dot + 1 : m->name;
}

static bool mentions(const char *text, const char *word)
{
	size_t len = strlen(word);
	const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";

	for (const char *p = text ? strstr(text, word) : NULL; p; p = strstr(p + 1, word))
		if ((p == text || !strchr(letters, p[-1])) && (!p[len] || !strchr(letters, p[len])))
			return true;
	return false;
}

/*
 * True for a name like "VmHWM". False for an ordinary word like "resident" of statm, which texts
 * use in other senses.
 */
static bool is_name(const char *field)
{
	return field[strcspn(field, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")] != '\0';
}

/*
 * Returns a weight that is larger if the case mentions the metric, and if it moves few other
 * metrics.
 */
static unsigned weight(const struct testcase *c, enum metric_id id, long page_size)
{
	const struct metric *m = metric(id);
	const char *word = is_name(field_name(m)) ? field_name(m) : m->name;
	unsigned points = 0, moved = 0;

	for (const enum metric_id *i = c->moves; i && *i != METRIC_NONE; i++)
		points += *i == id ? 4000 : 0;
	for (const struct fact_known *f = c->facts; f && f->name; f++)
		points += strstr(f->name, m->name) ? 4000 : 0;
	points += mentions(c->claim, word) ? 2000 : 0;
	points += mentions(c->because, word) ? 1000 : 0;
	for (int i = 0; i < METRIC_COUNT; i++)
		moved += case_moves(c, i, page_size);
	return points + METRIC_COUNT - moved;
}

struct weighed {
	const struct case_registration *c;
	unsigned weight;
};

static int by_weight(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return strcmp(x->c->file, y->c->file);
}

size_t metric_cases(enum metric_id id, long page_size, const struct case_registration **of,
		    size_t most)
{
	size_t nr, found = 0;
	const struct case_registration *all = cases_all(&nr);
	struct weighed *list = calloc(nr + 1, sizeof(*list));

	for (size_t i = 0; list && i < nr; i++)
		if (!(all[i].c->flags & CASE_HIDDEN) && case_moves(all[i].c, id, page_size))
			list[found++] = (struct weighed) { &all[i],
							   weight(all[i].c, id, page_size) };
	if (found)
		qsort(list, found, sizeof(*list), by_weight);
	for (size_t i = 0; i < most; i++)
		of[i] = i < found && (i < LEAST_SHOWN || list[i].weight > METRIC_COUNT) ? list[i].c
											: NULL;
	free(list);
	return found;
}

void explain_proof_line(const struct explanation *e, const char *label, const char *id)
{
	const struct testcase *c = testcase_by_id(id);

	if (c)
		prose_item(&e->prose, label, "%s: %s", id, c->claim ? c->claim : "");
}

/* ---- a case ---- */

static const char *verdict_cell(const struct results *r, const void *row, char *buf, size_t size)
{
	const struct result *c = result_of(r, row);

	(void)buf, (void)size;
	return c ? verdict_name(c->verdict) : NULL;
}

static void explain_steps(const struct explanation *e, const struct testcase *c)
{
	char *text = NULL;
	size_t len, nr = 0;
	FILE *out = open_memstream(&text, &len);

	for (const struct step *s = c->steps; out && s && s->name; s++)
		fprintf(out, "%s%s", nr++ ? "; " : "", s->name);
	if (out && !fclose(out) && nr)
		prose_item(&e->prose, "Steps", "%s.", text);
	free(text);
}

static void explain_list(const struct explanation *e, const char *label, const char *const *list)
{
	for (size_t i = 0; list && list[i]; i++)
		prose_item(&e->prose, i ? NULL : label, "%s", list[i]);
}

static void explain_moved(const struct explanation *e, const struct testcase *c)
{
	char *text = NULL;
	size_t len, nr = 0;
	FILE *out = open_memstream(&text, &len);

	for (int id = 0; out && id < METRIC_COUNT; id++)
		if (case_moves(c, id, e->page_size))
			fprintf(out, "%s%s", nr++ ? ", " : "", metric(id)->name);
	if (out && !fclose(out) && nr)
		prose_item(&e->prose, "Moves", "%s. It checks that all others stay as they are.",
			   text);
	free(text);
}

static void explain_facts_of(const struct explanation *e, const struct testcase *c, const char *id)
{
	for (const struct fact_known *f = c->facts; f && f->name; f++) {
		struct fact_row row = { id, f->name };

		prose_item(&e->prose, f == c->facts ? "Facts" : NULL, "%s (%s)", f->name,
			   f->values ? f->values : "any value");
		explain_by_kernel(e, NULL, NULL, fact_cell, &row, note_of(f->name));
	}
}

void explain_case(const struct explanation *e, const struct case_registration *r)
{
	const struct testcase *c = r->c;
	char id[64];

	prose_title(&e->prose, case_id(r, id, sizeof(id)));
	prose_text(&e->prose, 2, "A case.");
	prose_item(&e->prose, "Claim", "%s.", c->claim ? c->claim : "none");
	if (c->because)
		prose_item(&e->prose, "Because", "%s", c->because);
	explain_list(e, "Said by", c->said_by);
	explain_list(e, "Needs", c->needs);
	explain_steps(e, c);
	explain_moved(e, c);
	explain_facts_of(e, c, id);
	explain_by_kernel(e, "Verdicts", NULL, verdict_cell, id, note_of(id));
	prose_item(&e->prose, "Run it", "rssck check %s", id);
}

/* ---- a fact ---- */

void explain_fact(const struct explanation *e, const struct topic *t)
{
	size_t nr;
	const struct case_registration *all = cases_all(&nr);
	bool is_first = true;
	char id[64];

	prose_title(&e->prose, t->name);
	prose_text(&e->prose, 2, "A fact: a behaviour of the kernel, measured by a case.");
	prose_item(&e->prose, "Known values", "%s. Any other value fails the case.",
		   t->fact->values ? t->fact->values : "any");
	for (size_t i = 0; i < nr; i++) {
		for (const struct fact_known *f = all[i].c->facts; f && f->name; f++) {
			struct fact_row row = { case_id(&all[i], id, sizeof(id)), f->name };

			if (strcmp(f->name, t->name))
				continue;
			prose_item(&e->prose, "Measured by", "%s: %s.", id, all[i].c->claim);
			explain_by_kernel(e, "Since when", NULL, fact_cell, &row, note_of(f->name));
			if (is_first && all[i].c->because)
				prose_item(&e->prose, "Because", "%s", all[i].c->because);
			is_first = false;
		}
	}
}
