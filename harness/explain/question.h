// SPDX-License-Identifier: MIT
/* Questions that people ask in words, and lines of logs, with their answers. */
#ifndef RSSCK_QUESTION_H
#define RSSCK_QUESTION_H

#include <stddef.h>

struct sentence;

struct question {
	const char *asks;
	/* Groups that must all be met, of alternatives: "rss|res large|big"; of a line of a log
	 * (logs.def) its fixed parts: "usage*limit". */
	const char *words;
	const char *with; /* what else may be said: it does not make another question of it */
	const char *answer;
	const char *look_up; /* names, separated by ", " */
};

/* All questions, and all lines of logs: [0, *nr). */
const struct question *questions_all(size_t *nr);
const struct question *log_lines_all(size_t *nr);

/* The question that a sentence asks, or the line that a text is; or NULL. */
const struct question *question_for(const struct sentence *s);
const struct question *question_for_line(const char *text);

#endif
