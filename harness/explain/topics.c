// SPDX-License-Identifier: MIT
/* Collects the names of everything that can be explained from the tables. */
#include "topics.h"
#include "base/list.h"
#include "machine/numbers.h"
#include "shown.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WORD(...) { __VA_ARGS__ },
static const struct word words[] = {
#include "words.def"
};
#undef WORD

#define FIGURE(...) { __VA_ARGS__, .outside = false },
#define TERM(name, also, from, is, is_not, instead) \
	{ name, also, from, NULL, is, is_not, instead, NULL, .outside = false },
#define OUTSIDE(name, also, from, is, is_not, instead) \
	{ name, also, from, "not a memory number.", is, is_not, instead, NULL, .outside = true },
static const struct figure figures[] = {
#include "calls.def"
#include "concepts.def"
#include "figures.def"
#define PAGEFLAG(bit, name, is)                                       \
	TERM("kpageflags " name, "KPF_" name "|kpageflags KPF_" name, \
	     "bit " #bit " of /proc/kpageflags (root)", is, NULL, "/proc/kpageflags")
#include "pageflags.def"
#undef PAGEFLAG
#include "products.def"
#include "runtimes.def"
#include "settings.def"
};
#undef FIGURE
#undef TERM
#undef OUTSIDE

const struct figure *figures_all(size_t *nr)
{
	*nr = sizeof(figures) / sizeof(*figures);
	return figures;
}

static bool has_figure(const char *name)
{
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
		const char *also = figures[i].also ? strstr(figures[i].also, name) : NULL;
		size_t len = strlen(name);

		if (!strcmp(figures[i].name, name) ||
		    (also && (also == figures[i].also || also[-1] == '|') &&
		     (!also[len] || also[len] == '|')))
			return true;
	}
	return false;
}

static int add(struct topics *t, const struct topic *topic)
{
	struct topic *more = reallocarray(t->of, t->nr + 1, sizeof(*more));

	if (!more)
		return -1;
	more[t->nr++] = *topic;
	t->of = more;
	return 0;
}

__attribute__((format(printf, 3, 4))) static int add_named(struct topics *t, struct topic topic,
							   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(topic.name, sizeof(topic.name), format, args);
	va_end(args);
	return add(t, &topic);
}

static int add_words(struct topics *t)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (add_named(t, (struct topic) { .kind = TOPIC_WORD, .word = &words[i] }, "%s",
			      words[i].name))
			return -1;
	return 0;
}

/* Returns ", in kB" for an amount of that line, or "". */
static const char *unit_of_line(const struct machine_row *row)
{
	if (row->source == MACHINE_MEMINFO)
		return row->counts ? ", in pages of Hugepagesize" : ", in kB";
	return row->counts ? "" : ", in pages";
}

/* Adds a line of meminfo or vmstat that has no row in figures.def. */
static int add_line(struct topics *t, enum machine_number n)
{
	static struct figure of[MACHINE_NUMBERS];
	static char from[MACHINE_NUMBERS][160];
	const struct machine_row *row = machine_row(n);
	bool meminfo = row->source == MACHINE_MEMINFO;
	const char *kept = row->maintained && strcmp(row->maintained, "0") ? row->maintained : "";

	if ((!meminfo && row->source != MACHINE_VMSTAT) || has_figure(machine_key(n)))
		return 0;
	snprintf(from[n], sizeof(from[n]), "/proc/%s%s%s%s", meminfo ? "meminfo" : "vmstat",
		 unit_of_line(row), *kept ? ": " : "", kept);
	of[n] = (struct figure) {
		.name = row->name, .also = machine_key(n), .from = from[n], .is = row->prose
	};
	return add_named(t, (struct topic) { .kind = TOPIC_FIGURE, .figure = &of[n] }, "%s",
			 row->name);
}

static int add_figures(struct topics *t)
{
	for (int n = 1; n < MACHINE_NUMBERS; n++)
		if (add_line(t, n))
			return -1;
	for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++)
		if (add_named(t, (struct topic) { .kind = TOPIC_FIGURE, .figure = &figures[i] },
			      "%s", figures[i].name))
			return -1;
	return 0;
}

bool topic_is_in(const struct topic *t, const struct group *g)
{
	if (g->tool)
		return t->kind == TOPIC_COLUMN && !strcmp(t->column->tool, g->tool);
	return t->kind == TOPIC_METRIC && metric(t->metric)->source == g->source;
}

/* Adds each program, and each file that a person can read, once. */
static int add_groups(struct topics *t)
{
	size_t nr;
	const struct column *c = columns_all(&nr);

	for (size_t i = 0; i < nr; i++)
		if ((!i || strcmp(c[i].tool, c[i - 1].tool)) &&
		    add_named(t, (struct topic) { .kind = TOPIC_GROUP, .group = { c[i].tool, 0 } },
			      "%s", c[i].tool))
			return -1;
	for (enum source s = 0; s < SOURCE_COUNT; s++)
		if (*source_name(s) == '/' &&
		    add_named(t, (struct topic) { .kind = TOPIC_GROUP, .group = { NULL, s } }, "%s",
			      source_name(s)))
			return -1;
	return 0;
}

static int add_metrics(struct topics *t)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		if (add_named(t, (struct topic) { .kind = TOPIC_METRIC, .metric = id }, "%s",
			      metric(id)->name))
			return -1;
	return 0;
}

static int add_columns(struct topics *t)
{
	size_t nr;
	const struct column *c = columns_all(&nr);

	for (size_t i = 0; i < nr; i++)
		if (add_named(t,
			      (struct topic) { .kind = TOPIC_COLUMN,
					       .column = &c[i],
					       .metric = c[i].metric },
			      "%s %s", c[i].tool, c[i].name))
			return -1;
	return 0;
}

static int add_models(struct topics *t)
{
	for (enum model_kind k = MODEL_UNKNOWN; k < MODEL_ABSENT; k++)
		if (add_named(t, (struct topic) { .kind = TOPIC_MODEL, .model = k }, "%s",
			      model_kind_name(k)))
			return -1;
	return 0;
}

static bool has_topic(const struct topics *t, enum topic_kind kind, const char *name)
{
	for (size_t i = 0; i < t->nr; i++)
		if (t->of[i].kind == kind && !strcmp(t->of[i].name, name))
			return true;
	return false;
}

static int by_name(const void *a, const void *b)
{
	const struct topic *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int add_facts_of(struct topics *t, const struct case_registration *c)
{
	for (const struct fact_known *f = c->c->facts; f && f->name; f++)
		if (!has_topic(t, TOPIC_FACT, f->name) &&
		    add_named(t, (struct topic) { .kind = TOPIC_FACT, .fact = f, .c = c }, "%s",
			      f->name))
			return -1;
	return 0;
}

static int add_facts_and_cases(struct topics *t)
{
	size_t nr, first = t->nr, cases;
	const struct case_registration *all = cases_all(&nr);
	char id[64];

	for (size_t i = 0; i < nr; i++)
		if (add_facts_of(t, &all[i]))
			return -1;
	cases = t->nr;
	for (size_t i = 0; i < nr; i++)
		if (!(all[i].c->flags & CASE_HIDDEN) &&
		    add_named(t, (struct topic) { .kind = TOPIC_CASE, .c = &all[i] }, "%s",
			      case_id(&all[i], id, sizeof(id))))
			return -1;
	qsort(t->of + first, cases - first, sizeof(*t->of), by_name);
	qsort(t->of + cases, t->nr - cases, sizeof(*t->of), by_name);
	return 0;
}

int topics_all(struct topics *t)
{
	*t = (struct topics) { NULL, 0 };
	if (add_words(t) || add_figures(t) || add_groups(t) || add_metrics(t) || add_columns(t) ||
	    add_models(t) || add_facts_and_cases(t)) {
		topics_free(t);
		return -1;
	}
	return 0;
}

void topics_free(struct topics *t)
{
	free(t->of);
	*t = (struct topics) { NULL, 0 };
}

const char *topic_also(const struct topic *t)
{
	return t->kind == TOPIC_WORD     ? t->word->also
	       : t->kind == TOPIC_FIGURE ? t->figure->also
					 : NULL;
}

const char *topic_short_name(const struct topic *t)
{
	const char *end = NULL;

	switch (t->kind) {
	case TOPIC_METRIC:
		end = strchr(t->name, '.');
		break;
	case TOPIC_COLUMN:
		return t->column->name;
	case TOPIC_CASE:
		end = strchr(t->name, '/');
		break;
	case TOPIC_GROUP:
		end = t->group.tool ? NULL : strrchr(t->name, '/');
		break;
	default:
		break;
	}
	return end ? end + 1 : t->name;
}

/*
 * True if a note begins with another name of the column: "M_TRS", "PERCENT_MEM: RES of MemTotal".
 */
static bool is_noted(const struct column *c, const char *name)
{
	size_t len = c->note ? strcspn(c->note, ":") : 0, tool = strlen(c->tool);

	if (!len || !memchr(c->note, '_', len) || memchr(c->note, ' ', len))
		return false;
	if (!strncasecmp(name, c->tool, tool) && name[tool] == ' ')
		name += tool + 1;
	return strlen(name) == len && !strncasecmp(name, c->note, len);
}

static bool is_meant(const struct topic *t, const char *name, bool in_full)
{
	size_t len = strlen(name);

	if (!strcasecmp(t->name, name))
		return true;
	if (t->kind == TOPIC_WORD || t->kind == TOPIC_FIGURE)
		return list_has_in_any_case(topic_also(t), "|", name);
	if (t->kind == TOPIC_COLUMN && is_noted(t->column, name))
		return true;
	if (in_full)
		return false;
	if (t->kind == TOPIC_CASE && !strncasecmp(t->name, name, len) &&
	    (t->name[len] == '/' || (len && t->name[len - 1] == '/')))
		return true;
	return !strcasecmp(topic_short_name(t), name);
}

static int find(struct topics *found, const struct topics *all, const char *name, bool in_full)
{
	*found = (struct topics) { NULL, 0 };
	for (size_t i = 0; i < all->nr; i++)
		if (is_meant(&all->of[i], name, in_full) && add(found, &all->of[i]))
			return -1;
	return 0;
}

static int find_in_full_first(struct topics *found, const struct topics *all, const char *name)
{
	if (find(found, all, name, true))
		return -1;
	/*
	 * Looks for short names as well, unless a topic other than a word or a figure has this full
	 * name.
	 */
	if (found->nr && found->of[found->nr - 1].kind > TOPIC_FIGURE)
		return 0;
	topics_free(found);
	return find(found, all, name, false);
}

/* A line of a file may be known by its own name alone: "meminfo.Cached" is Cached. */
static int find_line(struct topics *found, const struct topics *all, const char *name)
{
	size_t file = !strncmp(name, "meminfo.", 8) ? 8 : !strncmp(name, "vmstat.", 7) ? 7 : 0;

	if (find_in_full_first(found, all, name))
		return -1;
	if (found->nr || !file)
		return 0;
	topics_free(found);
	return find(found, all, name + file, true);
}

int topics_find(struct topics *found, const struct topics *all, const char *name)
{
	struct topics shown;
	char topic[96];
	int failed = find_line(found, all, name);

	if (failed || !shown_find(name, topic, sizeof(topic)))
		return failed;
	failed = find_line(&shown, all, topic);
	/* "majflt/s" is a column of pidstat as well: the machine's number comes first. */
	for (size_t i = 0; !failed && i < found->nr; i++)
		if (!has_topic(&shown, found->of[i].kind, found->of[i].name))
			failed = add(&shown, &found->of[i]);
	topics_free(found);
	*found = shown;
	return failed;
}

const char *topic_kind_word(enum topic_kind kind)
{
	static const char *const names[] = {
		[TOPIC_WORD] = "word",     [TOPIC_FIGURE] = "number", [TOPIC_GROUP] = "group",
		[TOPIC_METRIC] = "metric", [TOPIC_COLUMN] = "column", [TOPIC_MODEL] = "model",
		[TOPIC_FACT] = "fact",     [TOPIC_CASE] = "case",
	};

	return names[kind];
}
