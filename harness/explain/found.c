// SPDX-License-Identifier: MIT
/* Explains a name with all its meanings, and lists everything that has a name. */
#include "explain.h"
#include "metric_words.h"
#include "shown.h"
#include <string.h>

enum { EXPLAINED_MOST = 3 };

static bool is_number(const struct topic *t)
{
	return t->kind == TOPIC_METRIC || t->kind == TOPIC_COLUMN;
}

static enum metric_id second_metric(const struct topic *t)
{
	return t->kind == TOPIC_COLUMN ? t->column->plus : METRIC_NONE;
}

/* A line of smaps_rollup is the sum of the same line in smaps; for a reader they are one number. */
static enum metric_id line_of(enum metric_id id)
{
	bool is_sum = id != METRIC_NONE && metric(id)->source == SOURCE_ROLLUP &&
		      metric_twin(id) != METRIC_NONE;

	return is_sum ? metric_twin(id) : id;
}

/* What a column makes of its metric: columns that only differ in unit show one number. */
static enum column_shape made_of(const struct topic *t)
{
	enum column_shape shape = t->kind == TOPIC_COLUMN ? t->column->shape : COLUMN_KB;

	switch (shape) {
	case COLUMN_KB_GATE:
	case COLUMN_PAGES:
	case COLUMN_BYTES:
	case COLUMN_COUNT:
	case COLUMN_TEXT:
		return COLUMN_KB;
	case COLUMN_PERCENT2:
	case COLUMN_PERMILLE:
		return COLUMN_PERCENT;
	default:
		return shape;
	}
}

static bool is_same_number(const struct topic *a, const struct topic *b)
{
	return line_of(a->metric) == line_of(b->metric) &&
	       line_of(second_metric(a)) == line_of(second_metric(b)) && made_of(a) == made_of(b);
}

/* A tool's sum may have one part more than others of the same name: psutil's uss. */
static enum metric_id third_metric(const struct topic *t)
{
	return t->kind == TOPIC_COLUMN ? line_of(t->column->also) : METRIC_NONE;
}

/*
 * True if the topic at `at` is a number, and no earlier topic is the same number. This first topic
 * stands for all topics of that number.
 */
static bool is_first_of_number(const struct topics *found, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (is_number(&found->of[i]) && is_same_number(&found->of[i], &found->of[at]))
			return false;
	return is_number(&found->of[at]);
}

static size_t count_numbers(const struct topics *found)
{
	size_t nr = 0;

	for (size_t i = 0; i < found->nr; i++)
		nr += is_first_of_number(found, i);
	return nr;
}

/* Writes the first sentence of a text into buf. */
static const char *first_sentence(const char *text, char *buf, size_t size)
{
	const char *end = strstr(text, ". ");

	snprintf(buf, size, "%.*s", end ? (int)(end - text + 1) : (int)strlen(text), text);
	return buf;
}

/* Writes the found columns that show this number into buf: "top RES, htop RES". */
static const char *names_of_number(const struct topics *found, const struct topic *number,
				   char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < found->nr && len < size; i++)
		if (found->of[i].kind == TOPIC_COLUMN && is_same_number(&found->of[i], number) &&
		    third_metric(&found->of[i]) == METRIC_NONE)
			len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? ", " : "",
						found->of[i].name);
	return buf;
}

/* Prints the found columns that add one part more to this number. */
static void put_larger_sums(const struct explanation *e, const struct topics *found,
			    const struct topic *number)
{
	for (size_t i = 0; i < found->nr; i++)
		if (found->of[i].kind == TOPIC_COLUMN && is_same_number(&found->of[i], number) &&
		    third_metric(&found->of[i]) != METRIC_NONE)
			prose_text(&e->prose, 0, "%s: that and %s.", found->of[i].name,
				   metric(third_metric(&found->of[i]))->name);
}

/* Writes the number's metrics into buf: "status.VmRSS", or "status.VmRSS + status.VmSwap". */
static const char *number_name(const struct topic *number, char *buf, size_t size)
{
	enum metric_id first = line_of(number->metric), second = line_of(second_metric(number));

	if (made_of(number) != COLUMN_KB)
		return column_numbers(number->column, buf, size);
	snprintf(buf, size, "%s%s%s", metric(first)->name, second == METRIC_NONE ? "" : " + ",
		 second == METRIC_NONE ? "" : metric(second)->name);
	return buf;
}

/*
 * True if only lines of smaps_rollup were found ("Pss_Dirty of smaps_rollup"). They are rounded
 * once, the lines of smaps for each mapping.
 */
static bool is_sum_alone(const struct topics *found, const struct topic *number)
{
	for (size_t i = 0; i < found->nr; i++)
		if (found->of[i].kind != TOPIC_METRIC ||
		    metric(found->of[i].metric)->source != SOURCE_ROLLUP)
			return false;
	return line_of(number->metric) != number->metric;
}

static void explain_sum(const struct explanation *e, enum metric_id sum)
{
	explain_answer(e, metric(sum)->name, sum);
	prose_text(&e->prose, 2, "%s", metric(sum)->prose);
	putc('\n', e->prose.out);
	prose_title(&e->prose, metric(line_of(sum))->name);
	explain_metric_place(e, line_of(sum));
}

/* Returns how many metrics and columns were found. */
static size_t count_topics(const struct topics *found)
{
	size_t nr = 0;

	for (size_t i = 0; i < found->nr; i++)
		nr += is_number(&found->of[i]);
	return nr;
}

static void explain_one_number(const struct explanation *e, const struct topics *found,
			       const struct topic *number)
{
	char names[1024], what[256];

	/* A single column needs no introduction. */
	if (number->kind == TOPIC_COLUMN && count_topics(found) == 1)
		return explain_column(e, number->column);
	names_of_number(found, number, names, sizeof(names));
	if (is_sum_alone(found, number))
		return explain_sum(e, number->metric);
	/* If the metric itself was requested, its columns are part of its explanation. */
	if (names[0] && number->kind == TOPIC_COLUMN) {
		/* What is true of one part is not true of the sum. */
		if (second_metric(number) == METRIC_NONE)
			explain_answer(e, topic_short_name(number), line_of(number->metric));
		prose_text(&e->prose, 0, "%s: the same number, %s.", names,
			   number_name(number, what, sizeof(what)));
		put_larger_sums(e, found, number);
		putc('\n', e->prose.out);
		if (second_metric(number) == METRIC_NONE) {
			prose_title(&e->prose, metric(line_of(number->metric))->name);
			explain_metric_place(e, line_of(number->metric));
		} else {
			explain_metric(e, line_of(number->metric));
		}
	} else {
		explain_metric(e, line_of(number->metric));
	}
	if (second_metric(number) == METRIC_NONE)
		return;
	putc('\n', e->prose.out);
	explain_metric(e, line_of(second_metric(number)));
}

static void list_number(const struct explanation *e, const struct topics *found,
			const struct topic *number)
{
	char names[1024], sentence[512];

	putc('\n', e->prose.out);
	prose_title(&e->prose, number_name(number, sentence, sizeof(sentence)));
	if (names_of_number(found, number, names, sizeof(names))[0])
		prose_text(&e->prose, 2, "%s", names);
	/* The description of neither part is right for their sum. */
	if (second_metric(number) == METRIC_NONE)
		prose_text(&e->prose, 2, "%s",
			   first_sentence(metric(line_of(number->metric))->prose, sentence,
					  sizeof(sentence)));
}

static void explain_numbers(const struct explanation *e, const char *name,
			    const struct topics *found)
{
	size_t nr = count_numbers(found);
	const struct topic *first = NULL, *last = NULL;

	for (size_t i = 0; i < found->nr; i++) {
		if (!is_number(&found->of[i]))
			continue;
		first = first ? first : &found->of[i];
		last = &found->of[i];
	}
	if (nr == 1)
		return explain_one_number(e, found, first);
	prose_text(&e->prose, 0, "'%s' is the name of %zu different numbers:", name, nr);
	for (size_t i = 0; i < found->nr; i++)
		if (is_first_of_number(found, i))
			list_number(e, found, &found->of[i]);
	putc('\n', e->prose.out);
	prose_text(&e->prose, 0,
		   "For one of them in full: rssck explain %s, or rssck explain '%s'.",
		   metric(first->metric)->name, last->name);
}

static void list_topics(const struct explanation *e, const struct topics *found,
			enum topic_kind kind)
{
	for (size_t i = 0; i < found->nr; i++) {
		if (found->of[i].kind != kind)
			continue;
		prose_text(&e->prose, 0, "%s", found->of[i].name);
		if (kind == TOPIC_CASE)
			prose_text(&e->prose, 2, "%s.", found->of[i].c->c->claim);
	}
}

static size_t count_kind(const struct topics *found, enum topic_kind kind)
{
	size_t nr = 0;

	for (size_t i = 0; i < found->nr; i++)
		nr += found->of[i].kind == kind;
	return nr;
}

/* True if the topics include one that says what the name means. */
static bool is_defined(const struct topics *found)
{
	return count_numbers(found) || count_kind(found, TOPIC_FIGURE) ||
	       count_kind(found, TOPIC_WORD);
}

static void separate(const struct explanation *e, bool *is_first)
{
	if (!*is_first)
		putc('\n', e->prose.out);
	*is_first = false;
}

/* Says which number a tool shows by this name: "kbanonpg: the line AnonPages of /proc/meminfo". */
static bool explain_shown(const struct explanation *e, const char *asked)
{
	char topic[96], name[96];
	const struct shown *s = shown_in(asked, name, topic, sizeof(topic));
	const char *line;

	if (!s)
		return false;
	line = strchr(topic, '.');
	if (!strncmp(topic, "meminfo.", 8) || !strncmp(topic, "vmstat.", 7))
		prose_named(&e->prose, name, "the line %s of /proc/%.*s, %s (%s).", line + 1,
			    (int)(line - topic), topic, shown_words(s->as), s->tool);
	else
		prose_named(&e->prose, name, "%s, %s (%s).", topic, shown_words(s->as), s->tool);
	return true;
}

void explain_found(const struct explanation *e, const char *name, const struct topics *found)
{
	static const enum topic_kind alone[] = { TOPIC_FIGURE, TOPIC_WORD, TOPIC_GROUP,
						 TOPIC_MODEL,  TOPIC_FACT, TOPIC_CASE };
	bool is_first = !explain_shown(e, name);

	for (size_t k = 0; k < sizeof(alone) / sizeof(*alone); k++) {
		size_t nr = count_kind(found, alone[k]);

		/* The definition of a name lists its cases. */
		if (alone[k] == TOPIC_CASE && is_defined(found))
			continue;
		for (size_t i = 0; nr <= EXPLAINED_MOST && i < found->nr; i++) {
			if (found->of[i].kind != alone[k])
				continue;
			separate(e, &is_first);
			explain_topic(e, &found->of[i]);
		}
		if (nr > EXPLAINED_MOST) {
			separate(e, &is_first);
			list_topics(e, found, alone[k]);
		}
	}
	if (!count_numbers(found))
		return;
	separate(e, &is_first);
	explain_numbers(e, name, found);
}
