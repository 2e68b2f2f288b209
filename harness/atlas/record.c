// SPDX-License-Identifier: MIT
#include "record.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/print/json.h"
#include "base/print/words.h"
#include <stdlib.h>
#include <string.h>

struct numbered_hash {
	uint64_t hash;
	json_int_t number;
};

struct tables {
	json_t *lines, *views, *number_of_line;
	struct numbered_hash *of;
	size_t nr;
};

static json_int_t line_number(struct tables *t, const char *line)
{
	json_t *have = json_object_get(t->number_of_line, line);
	json_int_t n = (json_int_t)json_array_size(t->lines);

	if (have)
		return json_integer_value(have);
	json_object_set_new(t->number_of_line, line, json_integer(n));
	json_array_append_new(t->lines, json_words(line));
	return n;
}

static void add_hash(struct tables *t, uint64_t hash, json_int_t number)
{
	t->of = memory_one_more(t->of, t->nr, sizeof(*t->of), "the views of a record");
	t->of[t->nr++] = (struct numbered_hash) { hash, number };
}

static void add_view(void *data, uint64_t hash, const char *text)
{
	struct tables *t = data;
	char *copy = strdup(text), *rest = copy, *line;
	json_t *view = json_array();

	while (rest && (line = strsep(&rest, "\n")))
		if (*line)
			json_array_append_new(view, json_integer(line_number(t, line)));
	add_hash(t, hash, (json_int_t)json_array_size(t->views));
	json_array_append_new(t->views, view);
	free(copy);
}

static int by_hash(const void *a, const void *b)
{
	const struct numbered_hash *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/*
 * Returns the index, in the record, of the view with this hash, or -1. If several jobs have stored
 * it, that is the first job's copy.
 */
static json_int_t view_number(const struct tables *t, uint64_t hash)
{
	size_t at = number_place(t->of, t->nr, sizeof(*t->of), hash);

	return at < t->nr && t->of[at].hash == hash ? t->of[at].number : -1;
}

/* An entry of the record: all sequences that differ only in their last act. */
struct stem {
	const struct record_of *r;
	const struct tables *t;
	struct sequence s;
	const bool *has;             /* see begins_of() */
	json_int_t begins[AT_COUNT]; /* indexes of the views before the last act; -1 if none */
	json_t *otherwise; /* "SEQUENCE": [moment, view], for sequences with another text at that
			    * moment */
	char *text;
	size_t length;
	bool any;
};

static json_int_t view_at(const struct stem *m, uint64_t number, unsigned at)
{
	int64_t place = order_place(m->r->order, number);
	uint64_t hash = place < 0 ? 0 : m->r->seen[place][at];

	return hash ? view_number(m->t, hash) : -1;
}

/*
 * The sequences of a stem should show the same text before the last act, so only the first one's
 * text is stored. A sequence with another text is listed by its words.
 */
static void add_begin(struct stem *m, const struct sequence *s, uint64_t number, unsigned at)
{
	json_int_t view = view_at(m, number, at);
	char words[SEQUENCE_TEXT];

	if (m->begins[at] < 0)
		m->begins[at] = view;
	if (view >= 0 && view != m->begins[at])
		json_object_set_new(m->otherwise, sequence_print(m->r->words, s, words),
				    json_pack("[iI]", (int)at, view));
}

static void add_last(struct stem *m, FILE *out, unsigned act)
{
	const struct record_of *r = m->r;
	unsigned last = r->length - 1, at = last ? AT_SECOND + last - 1 : AT_FIRST;
	struct sequence s = m->s;
	uint64_t number;
	json_int_t view;

	s.act[last] = (uint8_t)act;
	number = sequence_number(r->words, r->length, &s);
	sequence_of(r->words, r->length, number, &s);
	view = view_at(m, number, at);
	if (view < 0) {
		fputs("- ", out);
		return;
	}
	m->any = true;
	for (unsigned before = AT_KIND; before < at; before++)
		add_begin(m, &s, number, before);
	fprintf(out, "%" JSON_INTEGER_FORMAT "%c%" JSON_INTEGER_FORMAT " ", view,
		s.access == r->words->access[0] ? 'r' : 'w', view_at(m, number, AT_ACCESS));
}

/* Writes {"shows": [VIEW at each moment before the last act], "then": "12r15 - 7w9 ..."}. */
static void add_stem(struct stem *m, json_t *to)
{
	FILE *out = open_memstream(&m->text, &m->length);
	char words[SEQUENCE_TEXT];
	json_t *of, *shows;

	if (!out)
		memory_gone("a record");
	m->any = false;
	for (unsigned at = 0; at < AT_COUNT; at++)
		m->begins[at] = -1;
	for (unsigned act = 0; act < m->r->words->nr_acts; act++)
		add_last(m, out, act);
	fclose(out);
	if (m->any) {
		m->s.length = (uint8_t)(m->r->length - 1);
		m->s.access = NO_WORD;
		of = json_object();
		shows = json_array();
		for (unsigned at = 0; at < AT_COUNT; at++)
			json_array_append_new(shows, json_integer(m->begins[at]));
		json_object_set_new(of, "shows", shows);
		json_object_set_new(of, "then", json_string(m->text));
		json_object_set_new(to, sequence_print(m->r->words, &m->s, words), of);
	}
	free(m->text);
}

static size_t begin_of(const struct words *w, const struct sequence *s)
{
	size_t event = s->event == NO_WORD ? 0 : s->event + 1U;
	size_t act = s->length < 2 || s->act[0] == NO_WORD ? 0 : s->act[0] + 1U;

	return (s->kind * (w->nr_events + 1U) + event) * (w->nr_acts + 1U) + act;
}

/* Marks the beginnings of the sequences that were run. With --share these are only some. */
static bool *begins_of(const struct record_of *r)
{
	const struct words *w = r->words;
	bool *begins = calloc((w->nr_kinds * (w->nr_events + 1UL) + 1) * (w->nr_acts + 1), 1);

	if (!begins)
		memory_gone("a record");
	for (uint64_t i = r->first; i < r->last; i++) {
		struct sequence s;

		sequence_of(w, r->length, order_number(r->order, i), &s);
		begins[begin_of(w, &s)] = true;
	}
	return begins;
}

static void add_stems(struct stem *m, json_t *to, unsigned act)
{
	const struct words *w = m->r->words;

	if (act + 1 >= m->r->length) {
		m->s.length = (uint8_t)m->r->length;
		if (m->has[begin_of(w, &m->s)])
			add_stem(m, to);
		return;
	}
	for (unsigned i = act ? 0 : NO_WORD; i == NO_WORD || i < w->nr_acts;
	     i = i == NO_WORD ? 0 : i + 1) {
		m->s.act[act] = (uint8_t)i;
		add_stems(m, to, act + 1);
	}
}

static json_t *sequences_json(const struct record_of *r, const struct tables *t, json_t *otherwise)
{
	bool *has = begins_of(r);
	struct stem m = { .r = r, .t = t, .has = has, .otherwise = otherwise };
	json_t *to = json_object();

	for (unsigned k = 0; k < r->words->nr_kinds; k++)
		for (unsigned e = 0; e <= r->words->nr_events; e++) {
			m.s.kind = (uint8_t)k;
			m.s.event = e ? (uint8_t)(e - 1) : NO_WORD;
			add_stems(&m, to, 0);
		}
	free(has);
	return to;
}

static json_t *acts_json(const struct words *w)
{
	json_t *acts = json_array();

	for (unsigned i = 0; i < w->nr_acts; i++)
		json_array_append_new(acts, json_string(w->acts[i].name));
	return acts;
}

json_t *atlas_record_known(const uint64_t excepted[EXCEPTIONS_MAX])
{
	json_t *known = json_array();
	const char *last = "";

	for (unsigned i = 0; i < EXCEPTIONS_MAX; i++) {
		if (!excepted[i] || !strcmp(exception_words(i), last))
			continue;
		last = exception_words(i);
		json_array_append_new(known, json_words(last));
	}
	return known;
}

int atlas_record_write(const struct record_of *r, FILE *out)
{
	struct tables t = { json_array(), json_array(), json_object(), NULL, 0 };
	json_t *root = json_object(), *otherwise = json_object();
	int failed;

	for (unsigned i = 0; i < r->nr_texts; i++)
		texts_each(r->texts[i], add_view, &t);
	qsort(t.of, t.nr, sizeof(*t.of), by_hash);
	json_set_words(root, "schema", ATLAS_SCHEMA);
	json_set_words(root, "release", r->host->release);
	json_set_number(root, "page_size", r->host->page_size);
	json_set_number(root, "length", r->length);
	json_object_set_new(root, "acts", acts_json(r->words));
	json_object_set_new(root, "known", atlas_record_known(r->excepted));
	json_object_set_new(root, "lines", t.lines);
	json_object_set_new(root, "views", t.views);
	json_object_set_new(root, "sequences", sequences_json(r, &t, otherwise));
	json_object_set_new(root, "otherwise", otherwise);
	failed = json_dumpf(root, out, JSON_COMPACT | JSON_ENSURE_ASCII) || putc('\n', out) == EOF;
	json_decref(root);
	json_decref(t.number_of_line);
	free(t.of);
	return failed ? -1 : stream_end(out);
}
