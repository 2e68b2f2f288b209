// SPDX-License-Identifier: MIT
/* Chooses the sentences of a definition that an answer prints. */
#ifndef RSSCK_EXPLAIN_EXTRACT_H
#define RSSCK_EXPLAIN_EXTRACT_H

#include <stddef.h>

struct query;
struct topic;

/*
 * Removes from a topic's definition all but its first sentence and those that have another word of
 * the query. If no other has one, the first `nr` sentences stay.
 */
void extract_sentences(char *text, const struct topic *t, const struct query *q, const char *asked,
		       size_t nr);

#endif
