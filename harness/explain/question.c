// SPDX-License-Identifier: MIT
/* Finds the question of the tables that a sentence, or a line of a log, asks. */
#include "question.h"
#include "sentence.h"
#include <string.h>
#include <strings.h>

#define UNDER(title)
#define QUESTION(...) { __VA_ARGS__ },
static const struct question questions[] = {
#include "questions.def"

#include "asked.def"
};

static const struct question log_lines[] = {
#include "logs.def"
};
#undef QUESTION
#undef UNDER

const struct question *questions_all(size_t *nr)
{
	*nr = sizeof(questions) / sizeof(*questions);
	return questions;
}

const struct question *log_lines_all(size_t *nr)
{
	*nr = sizeof(log_lines) / sizeof(*log_lines);
	return log_lines;
}

/* ---- a sentence ---- */

/* One group, "rss|res|resident": is that word one of it? "#" is any amount. */
static bool is_of_group(const char *word, const char *group, size_t len)
{
	for (const char *p = group; p < group + len;) {
		size_t n = strcspn(p, "| ");

		if (n == 1 && *p == '#' ? word_is_amount(word) : word_is_like(word, p, n))
			return true;
		p += n + 1;
	}
	return false;
}

static bool group_is_met(const char *group, size_t len, const struct sentence *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (is_of_group(s->of[i], group, len))
			return true;
	return false;
}

/*
 * True if the sentence has a word of each group, and of none that begins with '-'; "*": any
 * other words are allowed.
 */
static bool question_fits(const struct question *q, const struct sentence *s, bool *anything)
{
	*anything = false;
	for (const char *p = q->words; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");
		bool refuses = *p == '-';

		if (*p == '*')
			*anything = true;
		else if (group_is_met(p + refuses, len - refuses, s) == refuses)
			return false;
		p += len;
	}
	return true;
}

static bool is_in_groups(const char *word, const char *groups)
{
	for (const char *p = groups; *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		if (*p != '-' && is_of_group(word, p, len))
			return true;
		p += len;
	}
	return false;
}

/* True if the question's title has that word. */
static bool is_in_title(const char *word, const struct question *q)
{
	struct sentence title;

	sentence_split(&title, q->asks);
	for (size_t i = 0; i < title.nr; i++)
		if (!strcmp(title.of[i], word))
			return true;
	return false;
}

/*
 * Returns 1 plus the number of the sentence's words that the question's groups contain. Returns 0
 * if the question does not fit, or if the sentence has a meaningful word that the question lacks.
 */
static unsigned question_covers(const struct question *q, const struct sentence *s)
{
	unsigned covered = 1;
	bool anything;

	if (!question_fits(q, s, &anything) || (s->cut && !anything))
		return 0;
	for (size_t i = 0; i < s->nr; i++) {
		bool asked = is_in_groups(s->of[i], q->words);

		covered += asked;
		if (!asked && !anything && !is_of_group(s->of[i], q->with, strlen(q->with)) &&
		    !word_says_nothing(s->of[i]) && !word_compares(s->of[i]) &&
		    !is_in_title(s->of[i], q))
			return 0;
	}
	return covered;
}

const struct question *question_for(const struct sentence *s)
{
	const struct question *best = NULL;
	unsigned most = 0;

	for (size_t i = 0; s->nr > 1 && i < sizeof(questions) / sizeof(*questions); i++) {
		unsigned covers = question_covers(&questions[i], s);

		if (covers <= most)
			continue;
		most = covers;
		best = &questions[i];
	}
	return best;
}

/* ---- a line of a log ---- */

/*
 * Returns the text after a part of a text, ignoring case; NULL if the text does not
 * contain the part.
 */
static const char *behind(const char *text, const char *part, size_t len)
{
	for (; *text; text++)
		if (!strncasecmp(text, part, len))
			return text + len;
	return NULL;
}

/* True if the text contains all parts of a pattern such as "usage*limit*failcnt", in that order. */
static bool line_fits(const char *pattern, const char *text)
{
	while (text && *pattern) {
		size_t len = strcspn(pattern, "*");

		text = behind(text, pattern, len);
		pattern += len + (pattern[len] == '*');
	}
	return text != NULL;
}

const struct question *question_for_line(const char *text)
{
	for (size_t i = 0; i < sizeof(log_lines) / sizeof(*log_lines); i++)
		if (line_fits(log_lines[i].words, text))
			return &log_lines[i];
	return NULL;
}
