// SPDX-License-Identifier: MIT
/* Declarations that the steps of interpreting a query share. */
#ifndef RSSCK_EXPLAIN_QUERY_PRIVATE_H
#define RSSCK_EXPLAIN_QUERY_PRIVATE_H

#include "parts.h"
#include "query.h"
#include <stdio.h>

enum { TEXT_SIZE = 384 };

/* Copies the first letters of a text into TEXT_SIZE bytes. */
static inline void copy_text(char *to, const char *from, size_t len)
{
	snprintf(to, TEXT_SIZE, "%.*s", (int)len, from);
}

/* Removes blanks, quotes and question marks at both ends, and other punctuation at the end. */
void query_trim(char *text);

/* Removes the blanks: "huge pages" becomes "hugepages". Returns false if there are none. */
bool query_without_blanks(char *text);

/* Lists the unknown words of a sentence. Returns their number. */
size_t query_list_unknown(const struct sentence *s, char *buf, size_t size);

/* True if a topic's name, another name of it or its definition has the word. */
bool query_topic_names(const struct topic *t, const char *word);

/*
 * Marks the words as unknown that belong to no name and that the names' definitions may not leave
 * out.
 */
void query_mark_left(struct sentence *s, const struct parts *p);

/*
 * Lists the values of a sentence that neither the question, or without one the names, say anything
 * about: "'64gb'".
 */
void query_list_values(const struct sentence *s, const struct question *q,
		       const struct topics *found, char *buf, size_t size);

/* The same for a question: true for a word that its answer may not leave out silently. */
bool query_question_leaves(const struct question *q, const struct sentence *s, size_t at);

/* True for "used" as a number, "top's used" or "counted as used"; not for "memory used by X". */
bool query_is_used(const struct sentence *s, size_t at);

/*
 * True for a word such as "low" or "included", without which a sentence asks something else, if the
 * question says nothing like it.
 */
bool query_question_unsaid(const struct question *q, const struct sentence *s, size_t at);

/*
 * Decides whether what is shown for a sentence that was not understood explains each word, or all
 * but a few. Lists the words that it does not explain in q->unknown.
 */
void query_judge(struct query *q, struct sentence *s);

/*
 * Splits words at slashes: "VIRT/RES/SHR" becomes three words if it is not a name, and is not
 * similar to one.
 */
int query_split_slashes(struct sentence *s, const struct topics *all);

/*
 * Finds the names of a sentence, and how they are related. Returns 0, or -1 if there is no memory.
 */
int query_find_words(struct query *q, const struct topics *all, struct sentence *s);

/*
 * Finds a name, as typed or in another form, and stores it in q->found. Returns 0, or -1
 * with errno.
 */
int query_find_variant(struct query *q, const struct topics *all, const char *text);

/* True if a word of a sentence may mean the topic: cases and facts have names like "limit". */
bool query_may_mean(const struct topic *t, const char *text);

/*
 * Returns the nearest topic whose name differs by a few letters, or NULL. `in_sentence`: the text
 * is a part of a sentence.
 */
const struct topic *query_nearest(const struct topics *all, const char *text, bool in_sentence);

/*
 * Stores the nearest name in q->found and q->taken_for. `in_sentence`: the text is a part of a
 * sentence. Returns 0, or -1 if there is no memory.
 */
int query_find_near(struct query *q, const struct topics *all, const char *text, bool in_sentence);

#endif
