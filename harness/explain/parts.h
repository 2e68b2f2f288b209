// SPDX-License-Identifier: MIT
/* The names in a sentence: "slab" and "free" in "is slab in free?". */
#ifndef RSSCK_EXPLAIN_PARTS_H
#define RSSCK_EXPLAIN_PARTS_H

#include "sentence.h"
#include "topics.h"

/* The names in a sentence, and the words that belong to none. */
struct parts {
	struct topics names;                   /* owned; one for each name */
	char typed[SENTENCE_WORDS][WORD_SIZE]; /* each name, as it was typed */
	bool dropped[SENTENCE_WORDS]; /* the name is left out of the result, e.g. because it is part
					 of another one */
	size_t spans;                 /* how often a name was typed */
	bool joined;                  /* a name was joined from two that are not adjacent */
	bool known[SENTENCE_WORDS];   /* the word is part of a name, or carries no meaning */
	size_t of[SENTENCE_WORDS];    /* the number of the name that the word belongs to,
				       * from 1 on; above SENTENCE_WORDS: of one that is left out */
	size_t as[SENTENCE_WORDS];    /* the number of the joined name, or 0 */
};

/*
 * Looks up `text` as the name of a topic, or as a variant of a name. *t becomes the first match
 * that a sentence may mean, and *is becomes true if there is one. Returns 0, or -1 if there is no
 * memory.
 */
int name_of_words(const struct topics *all, const char *text, struct topic *t, bool *is);

/* Finds the names in a sentence. Returns 0, or -1 if there is no memory. */
int parts_find(struct parts *p, const struct topics *all, const struct sentence *s);

#endif
