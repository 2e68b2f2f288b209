// SPDX-License-Identifier: MIT
/* Prints what a query was resolved to. */
#include "base/print/json.h"
#include "explain.h"
#include "extract.h"
#include "machine/numbers.h"
#include "metric_words.h"
#include "question_words.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Says which values of the question the answer below is not about. */
static void put_values(const struct explanation *e, const struct query *q)
{
	if (q->values[0])
		prose_text(&e->prose, 0,
			   "In general; nothing here is about the value %s:", q->values);
}

static void explain_question(const struct explanation *e, const struct query *q)
{
	put_values(e, q);
	if (q->unknown[0])
		prose_text(&e->prose, 0, "The nearest question, without regard to %s:", q->unknown);
	prose_named(&e->prose, q->question->asks, "%s", q->question->answer);
	prose_item(&e->prose, "Look up", "%s", q->question->look_up);
}

/*
 * Writes "numbers known here: mapped, writeable/private." into buf, with "and more" if there is no
 * room for all.
 */
static const char *group_numbers(const struct group *g, char *buf, size_t size)
{
	size_t len = (size_t)snprintf(buf, size, "numbers known here:"), nr = 0;
	struct topics all;

	if (topics_all(&all))
		return "";
	for (size_t i = 0; i < all.nr && len < size / 2; i++) {
		const struct topic *t = &all.of[i];

		if (topic_is_in(t, g))
			len += (size_t)snprintf(buf + len, size - len, "%s %s", nr++ ? "," : "",
						g->tool ? t->column->name
							: metric(t->metric)->name);
	}
	topics_free(&all);
	snprintf(buf + len, size - len, "%s.", len < size / 2 ? "" : " and more");
	return buf;
}

/* Writes the definition of a topic into buf. */
static const char *definition(const struct topic *t, char *buf, size_t size)
{
	const char *text = t->kind == TOPIC_WORD     ? t->word->is
			   : t->kind == TOPIC_FIGURE ? t->figure->is
			   : t->kind == TOPIC_CASE   ? t->c->c->claim
			   : t->kind == TOPIC_METRIC ? metric(t->metric)->prose
			   : t->kind == TOPIC_MODEL  ? model_words(t->model)
			   : t->kind == TOPIC_FACT   ? t->fact->values
						     : NULL;

	if (t->kind == TOPIC_GROUP)
		return group_numbers(&t->group, buf, size);
	if (!text)
		return column_words(t->column, buf, size);
	snprintf(buf, size, "%s", text);
	return buf;
}

/* Returns how many sentences of each definition are shown: together about four. */
static size_t sentences_each(const struct query *q)
{
	enum { MOST = 100 };

	if (q->kind == QUERY_NEAR && !q->nearest && (q->explained || q->nearly))
		return MOST;
	return q->relation[0] || q->nearest || q->found.nr > 2 ? 1 : 2;
}

/* Prints the similar questions. Each can be asked in these words. */
static void explain_similar(const struct explanation *e, const struct query *q)
{
	bool first = true;

	for (size_t i = 0; i < q->nr_similar; i++) {
		if (q->similar[i] == q->nearest)
			continue;
		prose_item(&e->prose, first ? "Or ask" : "", "%s", q->similar[i]->asks);
		first = false;
	}
}

/*
 * Returns the name of a topic. A line of /proc/meminfo is named with its file: tools use its name
 * in other senses.
 */
static const char *name_with_file(const struct topic *t, char *buf, size_t size)
{
	bool line = t->kind == TOPIC_FIGURE &&
		    machine_by_key(MACHINE_MEMINFO, t->name, strlen(t->name), MACHINE_NONE);

	snprintf(buf, size, "%s%s", t->name, line ? " of /proc/meminfo" : "");
	return buf;
}

/* True unless the nearest question is itself about the topic, and its answer is there already. */
static bool topic_adds(const struct query *q, const struct topic *t)
{
	const char *name = topic_short_name(t);

	return !q->nearest ||
	       !(word_is_in_text(name, q->nearest->asks) ||
		 word_is_in_text(name, q->nearest->answer) || strstr(q->nearest->look_up, name));
}

/* Explains the words of a sentence that itself has no answer. */
static void explain_words(const struct explanation *e, const char *asked, const struct query *q)
{
	char sentence[1024], name[128];
	size_t words = 0;

	if (q->system[0])
		return prose_text(&e->prose, 0,
				  "No answer to '%s': it names another system, %s. rssck explains "
				  "Linux's numbers, and the same words have another meaning there.",
				  asked, q->system);
	if (q->outside)
		prose_text(&e->prose, 0,
			   "Out of scope: rssck explains numbers of main memory, and '%s' names "
			   "none.",
			   asked);
	else if (q->explained)
		prose_text(&e->prose, 0, "%s", q->nearest ? "The nearest question:" : "Its words:");
	else if (q->nearly)
		prose_text(&e->prose, 0, "%s%s%s:",
			   q->nearest ? "The nearest question" : "What is known of its words",
			   q->unknown[0] ? ", without regard to " : "", q->unknown);
	else if (q->kind == QUERY_NEAR)
		prose_text(&e->prose, 0, "No answer to the whole of '%s'%s%s%s.%s", asked,
			   q->unknown[0] ? " (not understood: " : "", q->unknown,
			   q->unknown[0] ? ")" : "",
			   q->nearest    ? " The nearest question:"
			   : q->found.nr ? " Of its words:"
					 : "");
	else if (!q->relation[0] && q->found.nr > 1)
		prose_text(&e->prose, 0, "The words of '%s', one by one:", asked);
	if (q->nearest) {
		put_values(e, q);
		prose_named(&e->prose, q->nearest->asks, "%s", q->nearest->answer);
		prose_item(&e->prose, "Look up", "%s", q->nearest->look_up);
	}
	if (q->relation[0])
		prose_text(&e->prose, 0, "%s", q->relation);
	for (size_t i = 0; i < q->found.nr && (q->kind == QUERY_WORDS || i < TERMS_SHOWN); i++) {
		const struct topic *t = &q->found.of[i];

		if (!topic_adds(q, t))
			continue;
		if (q->nearest && !words++)
			prose_text(&e->prose, 0, "Of its words:");
		definition(t, sentence, sizeof(sentence));
		extract_sentences(sentence, t, q, asked, sentences_each(q));
		prose_named(&e->prose, name_with_file(t, name, sizeof(name)), "%s", sentence);
	}
	if (q->found.nr && (words || !q->nearest))
		prose_text(&e->prose, 0, "For each in full: rssck explain '%s'.",
			   q->found.of[0].name);
	explain_similar(e, q);
}

/* Writes what a number of the kernel's log is in MiB, " (5.3 MiB)", or "". */
static const char *log_mib(const char *value, char buf[ROW_VALUE])
{
	char *unit;
	unsigned long long kb = strtoull(value, &unit, 10);

	buf[0] = '\0';
	if (kb >= 1024 && !strcasecmp(unit, "kb"))
		snprintf(buf, ROW_VALUE, " (%.1f MiB)", (double)kb / 1024);
	return buf;
}

/*
 * Prints a line like "available 11Gi MemAvailable: ..." for each column of a pasted row that has a
 * value and a meaning.
 */
static void explain_row(const struct explanation *e, const struct pasted *p)
{
	enum { MEANING_AT = 24 };
	const struct row *row = p->row;

	prose_named(&e->prose, row->title, "%s", row->note ? row->note : "its columns.");
	for (size_t i = 0; i < ROW_COLUMNS && row->of[i].name; i++) {
		bool is_name = !strcmp(p->value[i], row->of[i].name);
		char term[3 * ROW_VALUE], mib[ROW_VALUE];

		if (!p->value[i][0] || !row->of[i].is)
			continue;
		snprintf(term, sizeof(term), "  %s%s%s%s", row->of[i].name, is_name ? "" : " ",
			 is_name ? "" : p->value[i], log_mib(p->value[i], mib));
		prose_hanging(&e->prose, term, MEANING_AT, row->of[i].is);
	}
	prose_item(&e->prose, "Look up", "%s", row->look_up);
}

void explain_query(const struct explanation *e, const char *asked, const struct query *q)
{
	if (q->read_as[0])
		prose_item(&e->prose, "Read as", "%s", q->read_as);
	switch (q->kind) {
	case QUERY_SPELLING:
		if (q->unit[0])
			return prose_text(&e->prose, 0, "%s", q->unit);
		put_values(e, q);
		prose_text(&e->prose, 0, "'%s' is read as '%s'%s%s.", asked, q->taken_for,
			   q->unknown[0] ? ", without regard to " : "", q->unknown);
		return explain_found(e, q->taken_for, &q->found);
	case QUERY_NAME:
		return explain_found(e, asked, &q->found);
	case QUERY_KERNEL:
		return explain_kernel(e, q->release);
	case QUERY_QUESTION:
		return explain_question(e, q);
	case QUERY_ROW:
		for (size_t i = 0; i < q->nr_rows; i++)
			explain_row(e, &q->rows[i]);
		return;
	case QUERY_WORDS:
	case QUERY_NEAR:
		return explain_words(e, asked, q);
	case QUERY_NONE:
		break;
	}
}

/* ---- for machines ---- */

static void set_if(json_t *j, const char *name, const char *words)
{
	if (words)
		json_set_words(j, name, words);
}

static void number_json(json_t *j, const struct explanation *e, enum metric_id id)
{
	const struct metric *m = metric(id);
	char *answer = metric_answer_words(e, id);
	enum metric_id as = metric_computed_as(e, id);

	json_set_words(j, "metric", m->name);
	set_if(j, "answer", answer);
	set_if(j, "instead", metric_instead(e, id));
	json_set_words(j, "is", m->prose);
	set_if(j, "is_not", metric_is_not(id));
	free(answer);
	if (as == METRIC_NONE || !e->models || e->models->of[as].kind == MODEL_ABSENT)
		return;
	json_set_words(j, "model", model_kind_name(e->models->of[as].kind));
	if (model_bound(e->models, as, e->threads) >= 0)
		json_set_number(j, "bound_pages", model_bound(e->models, as, e->threads));
}

static json_t *topic_json(const struct explanation *e, const struct topic *t)
{
	json_t *j = json_object();

	json_set_words(j, "kind", topic_kind_word(t->kind));
	json_set_words(j, "name", t->name);
	switch (t->kind) {
	case TOPIC_WORD:
		json_set_words(j, "is", t->word->is);
		set_if(j, "is_not", t->word->is_not);
		break;
	case TOPIC_FIGURE:
		set_if(j, "answer", t->figure->believe);
		set_if(j, "instead", t->figure->instead);
		json_set_words(j, "is", t->figure->is);
		set_if(j, "is_not", t->figure->is_not);
		set_if(j, "from", t->figure->from);
		break;
	case TOPIC_METRIC:
	case TOPIC_COLUMN:
		number_json(j, e, t->metric);
		break;
	case TOPIC_MODEL:
		json_set_words(j, "is", model_words(t->model));
		break;
	case TOPIC_FACT:
		set_if(j, "values", t->fact->values);
		break;
	case TOPIC_CASE:
		set_if(j, "claim", t->c->c->claim);
		set_if(j, "because", t->c->c->because);
		break;
	case TOPIC_GROUP:
		break;
	}
	return j;
}

static json_t *similar_json(const struct query *q)
{
	json_t *similar = json_array();

	for (size_t i = 0; i < q->nr_similar; i++)
		json_array_append_new(similar, json_words(q->similar[i]->asks));
	return similar;
}

static json_t *row_json(const struct pasted *p)
{
	json_t *j = json_object(), *columns = json_array();

	json_set_words(j, "row", p->row->title);
	for (size_t i = 0; i < ROW_COLUMNS && p->row->of[i].name; i++) {
		json_t *column;

		if (!p->value[i][0] || !p->row->of[i].is)
			continue;
		column = json_row(columns);
		json_set_words(column, "name", p->row->of[i].name);
		json_set_words(column, "value", p->value[i]);
		json_set_words(column, "is", p->row->of[i].is);
	}
	json_object_set_new(j, "columns", columns);
	return j;
}

static json_t *rows_json(const struct query *q)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < q->nr_rows; i++)
		json_array_append_new(rows, row_json(&q->rows[i]));
	return rows;
}

json_t *explain_query_json(const struct explanation *e, const char *asked, const struct query *q)
{
	json_t *j = json_object(), *topics = json_array();

	json_set_words(j, "asked", asked);
	if (q->kind == QUERY_SPELLING)
		json_set_words(j, "taken_for", q->taken_for);
	if (q->kind == QUERY_QUESTION) {
		json_set_words(j, "question", q->question->asks);
		json_set_words(j, "answer", q->question->answer);
	}
	if (q->kind == QUERY_KERNEL)
		json_set_words(j, "release", q->release);
	if (q->nr_rows)
		json_object_set_new(j, "rows", rows_json(q));
	if (q->relation[0])
		json_set_words(j, "relation", q->relation);
	if (q->unit[0])
		json_set_words(j, "unit", q->unit);
	if (q->values[0])
		json_set_words(j, "no_value", q->values);
	if (q->read_as[0])
		json_set_words(j, "read_as", q->read_as);
	if (q->system[0])
		json_set_words(j, "system", q->system);
	if (q->unknown[0])
		json_set_words(j, "unknown", q->unknown);
	if (q->outside)
		json_object_set_new(j, "outside", json_true());
	if (q->nearest) {
		json_set_words(j, "nearest", q->nearest->asks);
		json_set_words(j, "nearest_answer", q->nearest->answer);
	}
	if (q->nr_similar)
		json_object_set_new(j, "similar", similar_json(q));
	for (size_t i = 0; i < q->found.nr; i++)
		json_array_append_new(topics, topic_json(e, &q->found.of[i]));
	json_object_set_new(j, "topics", topics);
	return j;
}
