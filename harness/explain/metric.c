// SPDX-License-Identifier: MIT
/* Explains metrics, the tool columns that show them, and words. */
#include "base/print/words.h"
#include "explain.h"
#include "metric_words.h"
#include "runs/notes.h"
#include <stdlib.h>
#include <string.h>

enum { CASES_SHOWN = 6 };

static void explain_error(const struct explanation *e, enum metric_id id)
{
	char *text = metric_error_words(e, id);

	if (text)
		prose_item(&e->prose, "How wrong", "%s", text);
	free(text);
}

/*
 * A fact is about a metric if it contains the metric's name, or its field's name if that is long
 * enough.
 */
static bool is_fact_about(const char *fact, enum metric_id id)
{
	const char *name = metric(id)->name, *dot = strchr(name, '.');

	return strstr(fact, name) || (dot && strlen(dot) > 5 && strstr(fact, dot + 1));
}

/* Prints how the metric was counted on the recorded kernels, and the facts about it. */
static void explain_since(const struct explanation *e, enum metric_id id)
{
	const char *label = "Since when", *name = metric(id)->name;
	struct fact_rows rows;

	if (metric_counted_as(id) == id) {
		explain_by_kernel(e, label, NULL, model_cell, &id, note_of(name));
		label = NULL;
	}
	if (fact_rows_gather(&rows, &e->kernels))
		return;
	for (size_t i = 0; i < rows.nr; i++) {
		const char *note = note_of(rows.of[i].name);

		if (!is_fact_about(rows.of[i].name, id))
			continue;
		/* That reason was printed already. */
		explain_by_kernel(e, label, rows.of[i].name, fact_cell, &rows.of[i],
				  label || strcmp(note, note_of(name)) ? note : "");
		label = NULL;
	}
	free(rows.of);
}

static void explain_proof(const struct explanation *e, enum metric_id id)
{
	const struct case_registration *of[CASES_SHOWN];
	size_t nr = metric_cases(id, e->page_size, of, CASES_SHOWN), shown = 0;
	char name[64];

	if (metric(id)->constant)
		prose_item(&e->prose, "Proved by", "Every case: it must never move.");
	else if (!nr)
		prose_item(&e->prose, "Proved by",
			   "No case checks how it moves; all check that it does not move "
			   "unexpectedly.");
	while (shown < CASES_SHOWN && of[shown]) {
		prose_item(&e->prose, shown ? NULL : "Proved by", "%s: %s",
			   case_id(of[shown], name, sizeof(name)), of[shown]->c->claim);
		shown++;
	}
	if (nr > shown)
		prose_item(&e->prose, NULL, "and %zu more, see `rssck list --coverage --verbose`",
			   nr - shown);
}

/* Returns the line of smaps_rollup that is the sum of this line of smaps, or METRIC_NONE. */
static enum metric_id sum_of(enum metric_id id)
{
	for (int sum = 0; sum < METRIC_COUNT; sum++)
		if (metric(sum)->source == SOURCE_ROLLUP && metric_twin(sum) == id)
			return sum;
	return METRIC_NONE;
}

static void explain_columns(const struct explanation *e, enum metric_id id)
{
	enum metric_id sum = sum_of(id);
	char buf[2048];

	if (columns_of_metric(id, buf, sizeof(buf))[0])
		prose_item(&e->prose, "Shown by", "%s", buf);
	if (sum == METRIC_NONE)
		return;
	columns_of_metric(sum, buf, sizeof(buf));
	prose_item(&e->prose, "Added up", "%s%s%s", metric(sum)->name, buf[0] ? ": " : "", buf);
}

static void explain_metric_body(const struct explanation *e, enum metric_id id)
{
	const struct metric *m = metric(id);
	char buf[2048];

	if (metric_counts(id, buf, sizeof(buf))[0])
		prose_item(&e->prose, "It counts", "%s.", buf);
	prose_item(&e->prose, "Kind", "%s.", metric_kind_words(id));
	prose_item(&e->prose, "Kept by", "%s; %s.", m->maintained, metric_when(id));
	explain_error(e, id);
	explain_columns(e, id);
	explain_proof(e, id);
	explain_since(e, id);
	explain_sentences(e, m->name);
}

void explain_metric_place(const struct explanation *e, enum metric_id id)
{
	char buf[256];

	prose_text(&e->prose, 2, "%s.", metric_place(id, buf, sizeof(buf)));
	explain_metric_body(e, id);
}

void explain_metric(const struct explanation *e, enum metric_id id)
{
	explain_answer(e, metric(id)->name, id);
	explain_metric_place(e, id);
}

/* Says what the tool does with a process whose smaps it may not read. */
static void explain_unreadable(const struct explanation *e, const struct column *c)
{
	static const struct {
		const char *tool, *does;
	} table[] = {
#define UNREADABLE(tool, does) { tool, does },
#include "unreadable.def"
#undef UNREADABLE
	};
	enum source from = metric(c->metric)->source;

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (!strcmp(table[i].tool, c->tool) &&
		    (from == SOURCE_ROLLUP || from == SOURCE_SMAPS))
			prose_item(&e->prose, "Unreadable",
				   "If %s may not be read (another user's process): %s.",
				   source_name(from), table[i].does);
}

void explain_column(const struct explanation *e, const struct column *c)
{
	char name[96], numbers[256];

	snprintf(name, sizeof(name), "%s %s", c->tool, c->name);
	explain_column_answer(e, name, c);
	explain_unreadable(e, c);
	prose_text(&e->prose, 2, "A column of %s.", c->tool);
	prose_item(&e->prose, "It shows", "%s.", column_numbers(c, numbers, sizeof(numbers)));
	if (c->note)
		prose_item(&e->prose, "Note", "%s.", c->note);
	putc('\n', e->prose.out);
	/* The answer whether it can be believed was printed above. */
	prose_title(&e->prose, metric(c->metric)->name);
	explain_metric_place(e, c->metric);
	explain_sentences(e, sentence_column(c->tool, c->name, name, sizeof(name)));
	for (int i = 0; i < 2; i++) {
		enum metric_id more = i ? c->also : c->plus;

		if (more == METRIC_NONE)
			return;
		putc('\n', e->prose.out);
		explain_metric(e, more);
	}
}

/* ---- words ---- */

static void explain_word(const struct explanation *e, const struct topic *t)
{
	const struct word *w = t->word;

	prose_title(&e->prose, w->name);
	if (w->also) {
		char also[256] = "";
		size_t len = 0;

		for (const char *p = w->also; *p && len < sizeof(also) - 2; p++)
			len += (size_t)snprintf(also + len, sizeof(also) - len,
						*p == '|' ? ", " : "%c", *p);
		prose_text(&e->prose, 2, "Also: %s.", also);
	}
	prose_item(&e->prose, "It is", "%s", w->is);
	if (w->is_not)
		prose_item(&e->prose, "It is not", "%s", w->is_not);
	if (w->metrics)
		prose_item(&e->prose, "Look up", "%s", w->metrics);
}

void explain_topic(const struct explanation *e, const struct topic *t)
{
	switch (t->kind) {
	case TOPIC_WORD:
		return explain_word(e, t);
	case TOPIC_FIGURE:
		return explain_figure(e, t->figure);
	case TOPIC_GROUP:
		return explain_group(e, t);
	case TOPIC_METRIC:
		return explain_metric(e, t->metric);
	case TOPIC_COLUMN:
		return explain_column(e, t->column);
	case TOPIC_MODEL:
		return explain_model(e, t->model);
	case TOPIC_FACT:
		return explain_fact(e, t);
	case TOPIC_CASE:
		return explain_case(e, t->c);
	}
}
