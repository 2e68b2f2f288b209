// SPDX-License-Identifier: MIT
/* Between the steps of understanding what was typed. */
#ifndef RSSCK_EXPLAIN_QUERY_PRIVATE_H
#define RSSCK_EXPLAIN_QUERY_PRIVATE_H

#include "query.h"
#include <stdio.h>

enum { TEXT_SIZE = 384 };

/* The first letters of a text, into TEXT_SIZE bytes. */
static inline void copy_text(char *to, const char *from, size_t len)
{
	snprintf(to, TEXT_SIZE, "%.*s", (int)len, from);
}

/* Take off quotes, question marks and blanks at both ends. */
void query_trim(char *text);

/* "huge pages" becomes "hugepages". False: it has no blanks. */
bool query_without_blanks(char *text);

/* A name as it is, or in another form: into q->found. Returns 0, or -1 with errno. */
int query_find_variant(struct query *q, const struct topics *all, const char *text);

/* Whether a topic may be meant by a word of a sentence: cases and facts have names like "limit". */
bool query_may_mean(const struct topic *t, const char *text);

/*
 * The one topic that is nearest by a few letters, or NULL; of a sentence's word, or of all that was
 * typed.
 */
const struct topic *query_nearest(const struct topics *all, const char *text, bool in_sentence);

/* The nearest name, into q->found and q->taken_for; a word of a sentence, or all that was typed. */
int query_find_near(struct query *q, const struct topics *all, const char *text, bool in_sentence);

#endif
