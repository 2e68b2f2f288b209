// SPDX-License-Identifier: MIT
/*
 * The page of all kernels: a row a fact, a column a kernel, in bold what
 * differs from the kernel to its left.
 */
#include "matrix.h"
#include "compare.h"
#include "threads.h"
#include "words.h"
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 160 };

enum { NOTES_MAX = 64 };

struct matrix {
	const struct results *runs;
	size_t nr;
	FILE *out;
	const char *notes[NOTES_MAX]; /* in the order of their first use */
	size_t nr_notes;
};

/* What one kernel has to say in one row, into buf; NULL where it says nothing. */
typedef const char *cell_fn(const struct results *r, const void *row, char *buf, size_t size);

const char *note_of(const char *name)
{
	static const struct {
		const char *pattern, *text;
	} notes[] = {
#define NOTE(pattern, text) { pattern, text },
#include "notes.def"
#undef NOTE
	};

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (!fnmatch(notes[i].pattern, name, 0))
			return notes[i].text;
	return "";
}

/* Text in a table's cell: a bar would end it, and a code host reads HTML and Markdown in it. */
static void cell_put(const char *s, FILE *out)
{
	uint32_t code;

	while ((code = utf8_next(&s))) {
		if (code < 0x80 && strchr("|\\<>*_`[]", (int)code))
			putc('\\', out);
		utf8_put(code < 0x20 ? ' ' : code, out);
	}
}

/* Two runs of one release (on other machines) must be told apart. */
static void column_put(const struct matrix *m, size_t i)
{
	const struct results *r = &m->runs[i];
	char name[96], other[96];
	bool same_name = false, same_release = false;

	release_short(r->kernel_release, name, sizeof(name));
	for (size_t k = 0; k < m->nr; k++) {
		if (k == i)
			continue;
		same_name |= !strcmp(
			name, release_short(m->runs[k].kernel_release, other, sizeof(other)));
		same_release |= !strcmp(r->kernel_release, m->runs[k].kernel_release);
	}
	cell_put(same_name ? r->kernel_release : name, m->out);
	if (same_release)
		fprintf(m->out, ", %u CPUs", r->cpus);
}

static void header(const struct matrix *m, const char *first, const char *last)
{
	fprintf(m->out, "| %s |", first);
	for (size_t i = 0; i < m->nr; i++) {
		putc(' ', m->out);
		column_put(m, i);
		fputs(" |", m->out);
	}
	if (last)
		fprintf(m->out, " %s |", last);
	fputs("\n|", m->out);
	for (size_t i = 0; i < m->nr + 1 + (last ? 1 : 0); i++)
		fputs(" --- |", m->out);
	putc('\n', m->out);
}

/* True if some kernel's cell differs from the one to its left, other than by its number of CPUs. */
static bool row_changes(const struct matrix *m, cell_fn *cell, const void *row, bool *marks)
{
	char buf[CELL_SIZE], left_value[CELL_SIZE];
	const struct results *left = NULL;
	bool any = false;

	for (size_t i = 0; i < m->nr; i++) {
		const char *value = cell(&m->runs[i], row, buf, sizeof(buf));

		marks[i] = false;
		if (!value)
			continue;
		if (left && !same_but_for_cpus(left_value, left->cpus, value, m->runs[i].cpus))
			any = marks[i] = true;
		left = &m->runs[i];
		snprintf(left_value, sizeof(left_value), "%s", value);
	}
	return any;
}

static void row_cells(const struct matrix *m, cell_fn *cell, const void *row, const bool *marks)
{
	for (size_t i = 0; i < m->nr; i++) {
		char buf[CELL_SIZE];
		const char *value = cell(&m->runs[i], row, buf, sizeof(buf));

		fputs(marks[i] ? " **" : " ", m->out);
		cell_put(value ? value : "–", m->out);
		fputs(marks[i] ? "** |" : " |", m->out);
	}
}

/* The cell that says why a row changes: the number of a note below. */
static void why_put(struct matrix *m, const char *name)
{
	const char *note = note_of(name);
	size_t i;

	for (i = 0; i < m->nr_notes && strcmp(m->notes[i], note); i++)
		;
	if (!*note || i == NOTES_MAX) {
		fputs("  |", m->out);
		return;
	}
	if (i == m->nr_notes)
		m->notes[m->nr_notes++] = note;
	fprintf(m->out, " [%zu](#why) |", i + 1);
}

static void notes(const struct matrix *m)
{
	if (m->nr_notes)
		fputs("\n## Why\n\n", m->out);
	for (size_t i = 0; i < m->nr_notes; i++) {
		fprintf(m->out, "%zu. ", i + 1);
		cell_put(m->notes[i], m->out);
		putc('\n', m->out);
	}
}

/* ---- models ---- */

static const char *model_cell(const struct results *r, const void *row, char *buf, size_t size)
{
	const struct counter_model *m = &r->models.of[*(const enum metric_id *)row];

	if (m->kind == MODEL_ABSENT)
		return NULL;
	if (m->kind == MODEL_EXACT)
		return "exact";
	snprintf(buf, size, "%s, %u", model_kind_name(m->kind), m->batch);
	return buf;
}

static void models(struct matrix *m, bool *marks)
{
	fputs("## How the counters count\n\n"
	      "Measured, not looked up: the model and its batch (faults a thread, or pages a "
	      "CPU).\n\n",
	      m->out);
	header(m, "counter", "why");
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		bool changes = row_changes(m, model_cell, id, marks);

		fprintf(m->out, "| `%s` |", metric(*id)->name);
		row_cells(m, model_cell, id, marks);
		why_put(m, changes ? metric(*id)->name : "");
		putc('\n', m->out);
	}
}

/* ---- lag ---- */

static const char *lag_cell(const struct results *r, const void *row, char *buf, size_t size)
{
	const char *name = metric(*(const enum metric_id *)row)->name;
	const struct discrepancy *d = threads_seen(r, name);

	if (!d)
		return NULL;
	return difference_words((d->counter - d->precise) * (d->kb ? 1 : r->page_size / 1024), buf,
				size);
}

/* Lag is never twice the same: nothing is marked here. */
static void lags(const struct matrix *m, bool *marks)
{
	memset(marks, 0, m->nr * sizeof(*marks));
	fputs("\n## How far they are off\n\n"
	      "In kB, while 100 threads stand still that have touched 1 MiB of malloc each. The "
	      "page tables\n"
	      "are right.\n\n",
	      m->out);
	header(m, "counter", NULL);
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		fprintf(m->out, "| `%s` |", metric(*id)->name);
		row_cells(m, lag_cell, id, marks);
		putc('\n', m->out);
	}
}

/* ---- facts ---- */

struct fact_row {
	const char *id, *name; /* of the case, of the fact; in some run */
};

struct fact_rows {
	struct fact_row *of;
	size_t nr;
};

static const char *fact_cell(const struct results *r, const void *row, char *buf, size_t size)
{
	const struct fact_row *f = row;

	for (size_t i = 0; i < r->nr; i++) {
		if (strcmp(r->of[i].id, f->id))
			continue;
		for (size_t k = 0; k < r->of[i].nr_facts; k++) {
			if (strcmp(r->of[i].facts[k].name, f->name))
				continue;
			snprintf(buf, size, "%s", r->of[i].facts[k].value);
			return buf;
		}
	}
	return NULL;
}

/* counters/calibrate's facts are the table of models. */
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
	more[rows->nr++] = (struct fact_row){ id, name };
	rows->of = more;
	return 0;
}

static int by_case(const void *a, const void *b)
{
	const struct fact_row *x = a, *y = b;
	int cases = strcmp(x->id, y->id);

	return cases ? cases : strcmp(x->name, y->name);
}

static int gather_rows(const struct matrix *m, struct fact_rows *rows)
{
	for (size_t i = 0; i < m->nr; i++)
		for (size_t k = 0; k < m->runs[i].nr; k++) {
			const struct result *r = &m->runs[i].of[k];

			for (size_t f = 0; f < r->nr_facts; f++)
				if (add_row(rows, r->id, r->facts[f].name))
					return -1;
		}
	if (rows->nr)
		qsort(rows->of, rows->nr, sizeof(*rows->of), by_case);
	return 0;
}

static void fact_table(struct matrix *m, const struct fact_rows *rows, bool changing, bool *marks)
{
	header(m, "fact", changing ? "why" : NULL);
	for (size_t i = 0; i < rows->nr; i++) {
		const struct fact_row *f = &rows->of[i];

		if (row_changes(m, fact_cell, f, marks) != changing)
			continue;
		fputs("| [", m->out);
		cell_put(f->name, m->out);
		fprintf(m->out, "](../cases/%s.c) |", f->id);
		row_cells(m, fact_cell, f, marks);
		if (changing)
			why_put(m, f->name);
		putc('\n', m->out);
	}
}

static int facts(struct matrix *m, bool *marks)
{
	struct fact_rows rows = { NULL, 0 };
	size_t nr_changing = 0;

	if (gather_rows(m, &rows)) {
		free(rows.of);
		return -1;
	}
	for (size_t i = 0; i < rows.nr; i++)
		nr_changing += row_changes(m, fact_cell, &rows.of[i], marks);
	fprintf(m->out, "\n## Facts that differ: %zu\n\n", nr_changing);
	if (nr_changing)
		fact_table(m, &rows, true, marks);
	fprintf(m->out, "\n## Facts that are the same on all: %zu\n\n", rows.nr - nr_changing);
	if (rows.nr > nr_changing)
		fact_table(m, &rows, false, marks);
	free(rows.of);
	return 0;
}

/* ---- runs ---- */

static void runs_table(const struct matrix *m)
{
	fputs("\n## The runs\n\n| kernel | machine | CPUs | pass | fail | skip | error |\n"
	      "| --- | --- | --- | --- | --- | --- | --- |\n",
	      m->out);
	for (size_t i = 0; i < m->nr; i++) {
		const struct results *r = &m->runs[i];

		fputs("| ", m->out);
		cell_put(r->kernel_release, m->out);
		fputs(" | ", m->out);
		cell_put(r->machine, m->out);
		fprintf(m->out, " | %u | %zu | %zu | %zu | %zu |\n", r->cpus,
			r->count[VERDICT_PASS], r->count[VERDICT_FAIL], r->count[VERDICT_SKIP],
			r->count[VERDICT_ERROR]);
	}
}

static const struct result *same_result(const struct results *r, const struct result *wanted)
{
	for (size_t i = 0; i < r->nr; i++)
		if (!strcmp(r->of[i].id, wanted->id) && r->of[i].verdict == wanted->verdict &&
		    !strcmp(r->of[i].reason, wanted->reason))
			return &r->of[i];
	return NULL;
}

/* One line for all kernels on which a case ended in the same way; printed at the first of them. */
static void ending(const struct matrix *m, size_t first, const struct result *r)
{
	for (size_t i = 0; i < first; i++)
		if (same_result(&m->runs[i], r))
			return;
	fprintf(m->out, "- %s [", verdict_name(r->verdict));
	cell_put(r->id, m->out);
	fprintf(m->out, "](../cases/%s.c): ", r->id);
	cell_put(r->reason, m->out);
	fputs(" (on ", m->out);
	for (size_t i = first; i < m->nr; i++) {
		if (!same_result(&m->runs[i], r))
			continue;
		fputs(i > first ? ", " : "", m->out);
		column_put(m, i);
	}
	fputs(")\n", m->out);
}

static void not_passed(const struct matrix *m)
{
	fputs("\n## What did not pass\n\n", m->out);
	for (size_t i = 0; i < m->nr; i++)
		for (size_t k = 0; k < m->runs[i].nr; k++)
			if (m->runs[i].of[k].verdict != VERDICT_PASS)
				ending(m, i, &m->runs[i].of[k]);
}

static int by_release(const void *a, const void *b)
{
	const struct results *x = a, *y = b;
	int releases = release_compare(x->kernel_release, y->kernel_release);

	return releases ? releases : (int)x->cpus - (int)y->cpus;
}

int report_matrix(struct results *runs, size_t nr, FILE *out)
{
	struct matrix m = { .runs = runs, .nr = nr, .out = out };
	bool *marks = calloc(nr + 1, sizeof(*marks));

	if (!marks)
		return -1;
	qsort(runs, nr, sizeof(*runs), by_release);
	fputs("<!-- Made by `rssck report` from the JSON files beside it; not to be edited. -->\n"
	      "# What the memory metrics do, kernel by kernel\n\n"
	      "Each column is a real run of `rssck check`. **Bold** is what differs from the "
	      "kernel to its left;\n"
	      "a dash is a case that could not run there. A fact's name leads to the case that "
	      "measures it.\n\n",
	      out);
	models(&m, marks);
	lags(&m, marks);
	int failed = facts(&m, marks);

	notes(&m);
	runs_table(&m);
	not_passed(&m);
	free(marks);
	return failed ? -1 : stream_end(out);
}
