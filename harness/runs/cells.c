// SPDX-License-Identifier: MIT
/* Makes the rows of a table of kernels: counter models, lags, facts. */
#include "base/print/words.h"
#include "kernels.h"
#include "report/threads.h"
#include <stdlib.h>
#include <string.h>

const char *model_cell(const struct results *r, const void *row, char *buf, size_t size)
{
	const struct counter_model *m = &r->models.of[*(const enum metric_id *)row];

	if (m->kind == MODEL_ABSENT)
		return NULL;
	if (m->kind == MODEL_EXACT)
		return "exact";
	snprintf(buf, size, "%s, %u", model_kind_name(m->kind), m->batch);
	return buf;
}

const char *lag_cell(const struct results *r, const void *row, char *buf, size_t size)
{
	const char *name = metric(*(const enum metric_id *)row)->name;
	const struct discrepancy *d = threads_seen(r, name);

	if (!d)
		return NULL;
	return difference_words((d->counter - d->precise) *
					(discrepancy_is_kb(d) ? 1 : r->page_size / 1024),
				buf, size);
}

const char *fact_cell(const struct results *r, const void *row, char *buf, size_t size)
{
	const struct fact_row *f = row;
	const struct result *c = result_of(r, f->id);

	for (size_t i = 0; c && i < c->nr_facts; i++) {
		if (strcmp(c->facts[i].name, f->name))
			continue;
		snprintf(buf, size, "%s", c->facts[i].value);
		return buf;
	}
	return NULL;
}

/* True for a fact that the table of models already shows (of counters/calibrate). */
static bool is_model(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (const enum metric_id *id = modelled; dot && *id != METRIC_NONE; id++)
		if (!strncmp(metric(*id)->name, name, (size_t)(dot - name)) &&
		    !metric(*id)->name[dot - name] &&
		    (!strcmp(dot, ".model") || !strcmp(dot, ".batch")))
			return true;
	return false;
}

static int add_row(struct fact_rows *rows, const char *id, const char *name)
{
	struct fact_row *more;

	if (is_model(name))
		return 0;
	for (size_t i = 0; i < rows->nr; i++)
		if (!strcmp(rows->of[i].id, id) && !strcmp(rows->of[i].name, name))
			return 0;
	more = reallocarray(rows->of, rows->nr + 1, sizeof(*more));
	if (!more)
		return -1;
	more[rows->nr++] = (struct fact_row) { id, name };
	rows->of = more;
	return 0;
}

static int by_case(const void *a, const void *b)
{
	const struct fact_row *x = a, *y = b;
	int cases = strcmp(x->id, y->id);

	return cases ? cases : strcmp(x->name, y->name);
}

int fact_rows_gather(struct fact_rows *rows, const struct kernels *k)
{
	*rows = (struct fact_rows) { NULL, 0 };
	for (size_t i = 0; i < k->nr; i++)
		for (size_t n = 0; n < k->of[i].nr; n++) {
			const struct result *r = &k->of[i].of[n];

			for (size_t f = 0; f < r->nr_facts; f++)
				if (add_row(rows, r->id, r->facts[f].name))
					return -1;
		}
	if (rows->nr)
		qsort(rows->of, rows->nr, sizeof(*rows->of), by_case);
	return 0;
}

size_t facts_that_differ(const struct kernels *k, const struct fact_rows *facts)
{
	size_t nr = 0;

	for (size_t i = 0; i < facts->nr; i++)
		nr += row_differs(k, fact_cell, &facts->of[i]);
	return nr;
}
