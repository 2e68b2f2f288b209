// SPDX-License-Identifier: MIT
/* How two numbers are related: whether one includes the other. */
#ifndef RSSCK_EXPLAIN_RELATION_H
#define RSSCK_EXPLAIN_RELATION_H

#include "topics.h"

enum { RELATION_SIZE = 512 };

/*
 * Writes a sentence about two topics into buf ("Shmem is a part of Cached."). Returns false if the
 * table does not say how they are related.
 */
bool relation_words(const struct topic *a, const struct topic *b, char *buf, size_t size);

/*
 * Returns the id of the quantity of relations.def that a topic shows ("RSS" for "top RES"), or
 * NULL.
 */
const char *relation_quantity(const struct topic *t);

/* True if there is a quantity of that id. */
bool relation_has_quantity(const char *id);

/* True if the topic is an operation on memory, such as "MADV_DONTNEED". */
bool relation_is_act(const struct topic *t);

#endif
