// SPDX-License-Identifier: MIT
/*
 * What sequences have shown: for each moment of each sequence a number that stands for a text,
 * and the texts, each stored by the job that saw it first. The jobs share the numbers.
 */
#ifndef RSSCK_ATLAS_VIEWS_H
#define RSSCK_ATLAS_VIEWS_H

#include "words.h"
#include <stdio.h>

/* One hash for each moment of a sequence; 0: it was not read then. */
typedef uint64_t seen_at[AT_COUNT];

/* A set of text hashes; the texts themselves are in a file, one after the other. */
struct texts {
	uint64_t *known; /* open addressing; 0: free */
	size_t room, nr;
	FILE *out; /* where new texts are written as "HASH LENGTH\nTEXT\0"; NULL: not stored */
};

void texts_add(struct texts *t, uint64_t hash, const char *text, size_t length);
void texts_free(struct texts *t);

/* Calls each() for every text in a file that texts_add() has written, from its beginning. */
void texts_each(FILE *in, void (*each)(void *data, uint64_t hash, const char *text), void *data);

/* The texts of some files, by their hashes. */
struct texts_index {
	struct text_at {
		uint64_t hash; /* 0: free */
		const char *text;
	} * of;
	size_t room, nr;
	char **maps; /* the files */
	size_t *sizes, nr_maps;
};

void texts_index(struct texts_index *x, FILE *const *files, unsigned nr);
/* Returns NULL if no file has the text. */
const char *texts_find(const struct texts_index *x, uint64_t hash);
void texts_index_free(struct texts_index *x);

#endif
