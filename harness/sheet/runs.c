// SPDX-License-Identifier: MIT
/*
 * The tables about the runs themselves: a list of the runs, the cases that ran in none of them, and
 * the facts that are the same in all of them.
 */
#include "runs/facts.h"
#include "sheet.h"
#include <rssck/case.h>

static void run(struct sheet *s, const struct results *r, size_t at)
{
	char page[32];

	sheet_row(s, at, NULL);
	sheet_text(s, r->kernel_release);
	sheet_text(s, r->machine);
	snprintf(page, sizeof(page), "%ld kB", r->page_size / 1024);
	sheet_text(s, page);
	sheet_number(s, r->cpus, false);
	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		sheet_number(s, r->count[v], v == VERDICT_FAIL && r->count[v]);
	sheet_row_end(s);
}

void sheet_runs(struct sheet *s)
{
	const char *columns[4 + VERDICT_COUNT + 1] = { "kernel", "machine", "page", "CPUs" };
	const struct sheet_head head = { "runs", "What this page is made from", columns, 2 };

	for (enum verdict v = 0; v < VERDICT_COUNT; v++)
		columns[4 + v] = verdict_name(v);
	sheet_begin(s, &head);
	for (size_t i = 0; i < s->kernels.nr; i++)
		run(s, &s->kernels.of[i], i);
	s->write->end(s);
}

static void case_row(struct sheet *s, size_t at, const char *id, const char *text,
		     const char *second)
{
	sheet_row(s, at, NULL);
	sheet_cell(s);
	s->write->to_case(s, id, text);
	sheet_cell_end(s);
	sheet_text(s, second);
	sheet_row_end(s);
}

size_t sheet_not_run(struct sheet *s)
{
	static const char *const columns[] = { "case", "why", NULL };
	static const struct sheet_head head = { "not-run", "Cases that ran nowhere", columns, 0 };
	size_t nr, found = 0;
	const struct case_registration *all = cases_all(&nr);
	char id[64];

	for (size_t i = 0; i < nr; i++) {
		if (all[i].c->flags & CASE_HIDDEN ||
		    case_ran(&s->kernels, case_id(&all[i], id, sizeof(id))))
			continue;
		if (!found++)
			sheet_begin(s, &head);
		case_row(s, i, id, id, case_why_not(&s->kernels, id));
	}
	if (found)
		s->write->end(s);
	return found;
}

static const char *common_value(const struct kernels *k, const struct fact_row *f, char *buf,
				size_t size)
{
	const char *value = NULL;

	for (size_t i = 0; i < k->nr && !value; i++)
		value = fact_cell(&k->of[i], f, buf, size);
	return value;
}

size_t sheet_same_facts(struct sheet *s)
{
	static const char *const columns[] = { "fact", "on all that ran its case", NULL };
	size_t nr = s->facts.nr - facts_that_differ(&s->kernels, &s->facts);
	char title[80], value[CELL_SIZE], sentence[CELL_SIZE];
	const struct sheet_head head = { "same", title, columns, 0 };

	if (!nr)
		return 0;
	snprintf(title, sizeof(title), "Facts that are the same on all: %zu", nr);
	sheet_begin(s, &head);
	for (size_t i = 0; i < s->facts.nr; i++) {
		const struct fact_row *f = &s->facts.of[i];

		if (row_differs(&s->kernels, fact_cell, f))
			continue;
		case_row(s, i, f->id, fact_sentence(f->name, sentence, sizeof(sentence)),
			 common_value(&s->kernels, f, value, sizeof(value)));
	}
	s->write->end(s);
	return nr;
}
