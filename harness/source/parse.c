// SPDX-License-Identifier: MIT
/* Splits text into lines, columns and values. */
#define _GNU_SOURCE
#include "parse.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int line_next(struct lines *l, struct span *line)
{
	const char *newline;

	if (l->p == l->end)
		return 0;
	l->nr++;
	newline = memchr(l->p, '\n', (size_t)(l->end - l->p));
	line->p = l->p;
	line->end = newline ? newline : l->end;
	l->p = newline ? newline + 1 : l->end;
	return newline ? 1 : -1;
}

bool line_split(struct span line, struct span *key, struct span *value)
{
	const char *colon = memchr(line.p, ':', span_len(line));

	if (!colon || colon == line.p)
		return false;
	*key = (struct span) { line.p, colon };
	*value = (struct span) { skip_blanks(colon + 1, line.end), line.end };
	while (value->end > value->p && value->end[-1] == ' ')
		value->end--;
	return true;
}

int value_parse(struct span value, enum metric_id id, int64_t *out, struct source_error *e)
{
	const struct metric *m = metric(id);
	const char *p = value.p;
	/* The fields of smaps are sums and never negative. The counters in status can be. */
	enum number n = m->source == SOURCE_STATUS ? number_count(&p, value.end, out)
						   : number_signed(&p, value.end, out);

	if (n != NUMBER_OK)
		return source_fail(e, m->source, 0, "%s %s", m->key, number_complaint(n));
	if (m->unit == UNIT_KB) {
		if (value.end - p != 3 || memcmp(p, " kB", 3) != 0)
			return source_fail(e, m->source, 0, "%s is not in kB", m->key);
	} else if (p != value.end) {
		return source_fail(e, m->source, 0, "%s is not a number", m->key);
	}
	return 0;
}

int value_set(struct values *v, enum metric_id id, int64_t value, struct source_error *e)
{
	if (v->have[id])
		return source_fail(e, metric(id)->source, 0, "%s occurs twice", metric(id)->key);
	v->of[id] = value;
	v->have[id] = true;
	return 0;
}

void values_forget(struct values *v, enum metric_id first, enum metric_id last)
{
	for (unsigned id = first; id <= last; id++) {
		v->of[id] = 0;
		v->have[id] = false;
	}
}

/*
 * The kernel prints RLIM_INFINITY as the largest unsigned long. rssck stores it as INT64_MAX, which
 * means "no limit".
 */
static bool is_no_limit(enum metric_id id, uint64_t n)
{
	return id == METRIC_STAT_RSSLIM && (n == UINT64_MAX || n == UINT32_MAX);
}

static int column_parse(struct span text, enum metric_id id, int64_t *value, struct source_error *e)
{
	const struct metric *m = metric(id);
	const char *p = text.p;
	uint64_t limit;
	enum number n;

	if (number_unsigned(&p, text.end, &limit) == NUMBER_OK && p == text.end &&
	    is_no_limit(id, limit)) {
		*value = INT64_MAX;
		return 0;
	}
	p = text.p;
	n = id == METRIC_STAT_RSSLIM ? number_signed(&p, text.end, value)
				     : number_count(&p, text.end, value);
	if (n == NUMBER_OK && p == text.end)
		return 0;
	return source_fail(e, m->source, 0, "field %s (%s) %s", m->key, m->name,
			   number_complaint(n == NUMBER_OK ? NUMBER_NONE : n));
}

static void column_note(struct snapshot *s, enum source source, unsigned column, struct span value)
{
	char key[16];
	int len = snprintf(key, sizeof(key), "%u", column);

	if (s)
		unknown_note(s, source, (struct span) { key, key + len }, value);
}

int columns_read(struct span text, unsigned column, unsigned known, enum metric_id first,
		 enum metric_id last, struct values *v, struct snapshot *s, struct source_error *e)
{
	enum source source = metric(first)->source;
	const char *p = skip_blanks(text.p, text.end);
	unsigned id = first;

	for (; p < text.end; column++) {
		struct span word = { p, memchr(p, ' ', (size_t)(text.end - p)) };
		int64_t value;

		if (!word.end)
			word.end = text.end;
		if (id <= last && column == strtoul(metric(id)->key, NULL, 10)) {
			if (column_parse(word, id, &value, e) || value_set(v, id, value, e))
				return -1;
			id++;
		} else if (column > known) {
			column_note(s, source, column, word);
		}
		p = skip_blanks(word.end, text.end);
	}
	if (id <= last)
		return source_fail(e, source, 0, "ends before field %s (%s)", metric(id)->key,
				   metric(id)->name);
	return 0;
}

static void span_copy(char *to, size_t size, struct span from)
{
	size_t len = span_len(from) < size - 1 ? span_len(from) : size - 1;

	memcpy(to, from.p, len);
	to[len] = '\0';
}

void unknown_note(struct snapshot *s, enum source source, struct span key, struct span value)
{
	struct unknown_field f = { .source = source };

	span_copy(f.key, sizeof(f.key), key);
	span_copy(f.value, sizeof(f.value), value);
	for (size_t i = 0; i < s->nr_unknown; i++)
		if (s->unknown[i].source == source && strcmp(s->unknown[i].key, f.key) == 0)
			return;
	if (s->nr_unknown < UNKNOWN_FIELDS_MAX)
		s->unknown[s->nr_unknown++] = f;
}

int source_fail(struct source_error *e, enum source source, int number, const char *format, ...)
{
	va_list args;

	e->source = source;
	e->number = number;
	va_start(args, format);
	vsnprintf(e->text, sizeof(e->text), format, args);
	va_end(args);
	return -1;
}
