// SPDX-License-Identifier: MIT
/*
 * What is typed, understood step by step: as a name, as a name in other clothes ("/proc/12/smaps",
 * "pages", "what is RSS?"), as a kernel, as a question, as a name with a slip of the finger.
 */
#include "query.h"
#include "base/nearest.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { TEXT_SIZE = 384, WORDS_MOST = 24 };

#define QUESTION(...) { __VA_ARGS__ },
static const struct question questions[] = {
#include "questions.def"
};
#undef QUESTION

const struct question *questions_all(size_t *nr)
{
	*nr = sizeof(questions) / sizeof(*questions);
	return questions;
}

/* ---- other clothes ---- */

static void copy_text(char *to, const char *from, size_t len)
{
	snprintf(to, TEXT_SIZE, "%.*s", (int)len, from);
}

/* Without quotes, question marks and blanks at both ends. */
static void trim(char *text)
{
	static const char around[] = " \t\n?!.,:;\"'`";
	size_t len, skip = strspn(text, " \t\n\"'`?");

	memmove(text, text + skip, strlen(text + skip) + 1);
	for (len = strlen(text); len && strchr(around, text[len - 1]); len--)
		text[len - 1] = '\0';
}

static bool strip_end(char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	if (len <= n || strcasecmp(text + len - n, end))
		return false;
	text[len - n] = '\0';
	return true;
}

/* "what is the RSS", "what does VmRSS mean" */
static bool without_asking(char *text)
{
	static const char *const begins[] = { "what is ",   "what are ", "what's ", "whats ",
					      "what does ", "explain ",  "the ",    "a ",
					      "an ",        "my ",       "about ",  "linux ",
					      "column ",    "field ",    "number " };
	static const char *const ends[] = { " mean",  " means", " meaning", " column",
					    " field", " show",  " count",   " number" };
	bool any = false;

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++) {
		size_t len = strlen(begins[i]);

		if (strncasecmp(text, begins[i], len))
			continue;
		memmove(text, text + len, strlen(text + len) + 1);
		any = true;
	}
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		any |= strip_end(text, ends[i]);
	return any;
}

/* "/proc/1234/smaps", "/proc/self/smaps": as the tables write it. */
static bool as_file(char *text)
{
	char name[TEXT_SIZE];
	const char *last = strrchr(text, '/');

	if (*text != '/' || !last || !last[1])
		return false;
	if (!strncmp(text, "/proc/", 6) && strncmp(text, "/proc/PID/", 10) && last > text + 5)
		snprintf(name, sizeof(name), "/proc/PID/%.*s", TEXT_SIZE - 16, last + 1);
	else
		snprintf(name, sizeof(name), "%s", last + 1);
	copy_text(text, name, strlen(name));
	return true;
}

/* "caches", "docker stats --no-stream", "resident_set_size" */
static bool singular(char *text)
{
	return strip_end(text, "s");
}

static bool without_options(char *text)
{
	char *at = strstr(text, " -");

	if (at)
		*at = '\0';
	return at != NULL;
}

static bool with_blanks(char *text)
{
	bool any = false;

	for (char *p = text; *p; p++) {
		any |= *p == '_' || *p == '-';
		*p = *p == '_' || *p == '-' ? ' ' : *p;
	}
	return any;
}

static bool without_blanks(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++)
		if (*p != ' ' && *p != '-')
			*to++ = *p;
	*to = '\0';
	return true;
}

static int find_dressed(struct query *q, const struct topics *all, const char *text)
{
	static bool (*const ways[])(char *) = { without_asking, as_file,     without_options,
						singular,       with_blanks, without_blanks };
	char now[TEXT_SIZE], tried[TEXT_SIZE];

	copy_text(now, text, strlen(text));
	trim(now);
	if (topics_find(&q->found, all, now))
		return -1;
	for (size_t i = 0; !q->found.nr && i < sizeof(ways) / sizeof(*ways); i++) {
		copy_text(tried, now, strlen(now));
		if (!ways[i](tried) || !tried[0])
			continue;
		topics_free(&q->found);
		if (topics_find(&q->found, all, tried))
			return -1;
		/* Words that only ask are dropped: "what are dirty pages". */
		if (ways[i] == without_asking)
			copy_text(now, tried, strlen(tried));
	}
	if (q->found.nr)
		q->kind = QUERY_NAME;
	return 0;
}

/* ---- a kernel ---- */

/* "6.1", "linux 6.12.43", "kernel 5.10.0-46-amd64", "v6.1" */
static bool is_kernel(const char *text, char *release)
{
	static const char *const before[] = { "linux ", "kernel ", "linux-", "v", "version " };
	const char *p = text;
	size_t digits;

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		if (!strncasecmp(p, before[i], strlen(before[i])))
			p += strlen(before[i]);
	digits = strspn(p, "0123456789");
	if (!digits || digits > 2 || p[digits] != '.' || !isdigit((unsigned char)p[digits + 1]) ||
	    strchr(p, ' '))
		return false;
	snprintf(release, RELEASE_SIZE, "%.*s", RELEASE_SIZE - 1, p);
	return true;
}

/* ---- a question ---- */

struct sentence_words {
	char of[WORDS_MOST][32];
	size_t nr;
};

static void split(struct sentence_words *w, const char *text)
{
	w->nr = 0;
	while (*text && w->nr < WORDS_MOST) {
		size_t len = strcspn(text, " \t\n?!,;:()\"'`"), n = 0;

		for (; n < len && n < sizeof(w->of[0]) - 1; n++)
			w->of[w->nr][n] = (char)tolower((unsigned char)text[n]);
		w->of[w->nr][n] = '\0';
		w->nr += len > 0;
		text += len;
		text += strspn(text, " \t\n?!,;:()\"'`");
	}
}

/* "larger" is "large"; "free" is not "freezer" but is "freed". */
static bool begins_alike(const char *word, const char *stem, size_t len)
{
	static const char *const ends[] = { "", "s", "es", "d", "ed", "r", "er", "ing", "ting" };

	if (strncmp(word, stem, len))
		return false;
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (!strcmp(word + len, ends[i]))
			return true;
	return false;
}

/* One group, "rss|res|resident": is one of them among the words? */
static bool group_is_met(const char *group, size_t len, const struct sentence_words *w)
{
	for (const char *p = group; p < group + len;) {
		size_t n = strcspn(p, "| ");

		for (size_t i = 0; i < w->nr; i++)
			if (begins_alike(w->of[i], p, n))
				return true;
		p += n + 1;
	}
	return false;
}

static const struct question *question_for(const char *text)
{
	struct sentence_words w;

	split(&w, text);
	for (size_t i = 0; w.nr > 1 && i < sizeof(questions) / sizeof(*questions); i++) {
		const char *p = questions[i].words;

		/* A group that begins with '-' must not be met. */
		while (*p && group_is_met(p + (*p == '-'), strcspn(p, " ") - (*p == '-'), &w) !=
				     (*p == '-')) {
			p += strcspn(p, " ");
			p += strspn(p, " ");
		}
		if (!*p)
			return &questions[i];
	}
	return NULL;
}

/* ---- a slip of the finger ---- */

static unsigned distance(const char *name, const char *other)
{
	char a[TEXT_SIZE], b[TEXT_SIZE];
	size_t i;

	for (i = 0; name[i] && i < sizeof(a) - 1; i++)
		a[i] = (char)tolower((unsigned char)name[i]);
	a[i] = '\0';
	for (i = 0; other[i] && i < sizeof(b) - 1; i++)
		b[i] = (char)tolower((unsigned char)other[i]);
	b[i] = '\0';
	return edit_distance(a, b);
}

unsigned topic_nearness(const struct topic *t, const char *name)
{
	unsigned whole = distance(name, t->name), part = distance(name, topic_short_name(t));
	const char *also = t->kind == TOPIC_WORD     ? t->word->also
			   : t->kind == TOPIC_FIGURE ? t->figure->also
						     : NULL;

	whole = part < whole ? part : whole;
	for (const char *p = also; p && *p; p += strspn(p, "|")) {
		char one[TEXT_SIZE];
		size_t len = strcspn(p, "|");

		copy_text(one, p, len);
		part = distance(name, one);
		whole = part < whole ? part : whole;
		p += len;
	}
	return whole;
}

/* How many letters may be wrong: one of a short name, one in five of a long one. */
static unsigned slips_for(const char *name)
{
	size_t len = strlen(name);

	return len < 3 ? 0 : len < 6 ? 1 : 1 + (unsigned)len / 6;
}

/* "memory.min" is not "memory.max": what follows the last '.', '_' or blank is a name of its own.
 */
static bool ends_alike(const char *name, const char *other)
{
	static const char breaks[] = "._ /-";
	const char *a = name, *b = other;

	for (const char *p = name; *p; p++)
		a = strchr(breaks, *p) && p[1] ? p + 1 : a;
	for (const char *p = other; *p; p++)
		b = strchr(breaks, *p) && p[1] ? p + 1 : b;
	return a == name || b == other || distance(a, b) <= slips_for(a);
}

static int find_near(struct query *q, const struct topics *all, const char *text)
{
	unsigned best = slips_for(text) + 1;
	const struct topic *nearest = NULL;

	for (size_t i = 0; i < all->nr; i++) {
		unsigned d = topic_nearness(&all->of[i], text);

		if (d >= best)
			continue;
		best = d;
		nearest = &all->of[i];
	}
	if (!nearest || !ends_alike(text, nearest->name))
		return 0;
	snprintf(q->taken_for, sizeof(q->taken_for), "%s", nearest->name);
	q->kind = QUERY_SPELLING;
	return topics_find(&q->found, all, nearest->name);
}

/* ---- a sentence with names in it ---- */

static bool says_nothing(const char *word)
{
	static const char *const words[] = {
		"why",     "is",         "the",     "a",       "of",       "in",     "to",
		"what",    "how",        "does",    "do",      "my",       "than",   "and",
		"or",      "for",        "not",     "file",    "time",     "it",     "so",
		"can",     "i",          "on",      "me",      "are",      "vs",     "versus",
		"between", "difference", "compare", "from",    "with",     "by",     "at",
		"be",      "linux",      "mean",    "means",   "usage",    "use",    "used",
		"much",    "per",        "s",       "if",      "when",     "which",  "high",
		"unit",    "units",      "size",    "fields",  "field",    "column", "number",
		"process", "memory",     "count",   "counted", "includes", "show"
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(word, words[i]))
			return true;
	return strlen(word) < 2;
}

static int add_found(struct topics *to, const struct topic *t)
{
	struct topic *more;

	for (size_t i = 0; i < to->nr; i++)
		if (!strcmp(to->of[i].name, t->name))
			return 0;
	more = reallocarray(to->of, to->nr + 1, sizeof(*more));
	if (!more)
		return -1;
	to->of = more;
	to->of[to->nr++] = *t;
	return 0;
}

/*
 * Where each word that says something is a name, the sentence is about these names ("VmHWM vs
 * VmPeak"); else it is not understood, and they are what is nearest.
 */
static int find_words(struct query *q, const struct topics *all, const char *text)
{
	struct sentence_words w;
	bool understood = true;

	split(&w, text);
	for (size_t i = 0; w.nr > 1 && i < w.nr; i++) {
		struct query one = { .kind = QUERY_NONE };
		int failed = says_nothing(w.of[i]) ? 0 : find_dressed(&one, all, w.of[i]);

		understood &= one.found.nr || says_nothing(w.of[i]);
		if (!failed && one.found.nr)
			failed = add_found(&q->found, &one.found.of[0]);
		query_free(&one);
		if (failed)
			return -1;
	}
	if (q->found.nr)
		q->kind = understood ? QUERY_WORDS : QUERY_NEAR;
	return 0;
}

int query_resolve(struct query *q, const struct topics *all, const char *text)
{
	char trimmed[TEXT_SIZE];

	*q = (struct query) { .kind = QUERY_NONE };
	copy_text(trimmed, text, strlen(text));
	trim(trimmed);
	if (!trimmed[0])
		return 0;
	if (find_dressed(q, all, text))
		return -1;
	if (q->kind != QUERY_NONE)
		return 0;
	if (is_kernel(trimmed, q->release)) {
		q->kind = QUERY_KERNEL;
		return 0;
	}
	q->question = question_for(trimmed);
	if (q->question) {
		q->kind = QUERY_QUESTION;
		return 0;
	}
	if (find_near(q, all, trimmed))
		return -1;
	return q->kind == QUERY_NONE ? find_words(q, all, trimmed) : 0;
}

void query_free(struct query *q)
{
	topics_free(&q->found);
}
