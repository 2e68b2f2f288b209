// SPDX-License-Identifier: MIT
/*
 * The texts that sequences have shown. For each moment of each sequence, an array shared by all
 * jobs has the hash of a text. Each job stores a text when it sees it for the first time.
 */
#ifndef RSSCK_ATLAS_VIEWS_H
#define RSSCK_ATLAS_VIEWS_H

#include "words.h"
#include <stdio.h>

/* The hash of the text at each moment of a sequence; 0 if the sequence was not read then. */
typedef uint64_t seen_at[AT_COUNT];

/* A set of hashes of texts. The texts themselves are written to a file. */
struct texts {
	uint64_t *known; /* open addressing; 0 marks a free slot */
	size_t room, nr;
	FILE *out; /* new texts are written here as "HASH LENGTH\nTEXT\0"; NULL if they are not
		      stored */
};

void texts_add(struct texts *t, uint64_t hash, const char *text, size_t length);
void texts_free(struct texts *t);

/* Calls each() for every text that texts_add() has written into the file. */
void texts_each(FILE *in, void (*each)(void *data, uint64_t hash, const char *text), void *data);

/* An index of the texts of several files, by their hashes. */
struct texts_index {
	struct text_at {
		uint64_t hash; /* 0 marks a free slot */
		const char *text;
	} * of;
	size_t room, nr;
	char **maps; /* the mapped files */
	size_t *sizes, nr_maps;
};

void texts_index(struct texts_index *x, FILE *const *files, unsigned nr);
/* Returns NULL if no file has the text. */
const char *texts_find(const struct texts_index *x, uint64_t hash);
void texts_index_free(struct texts_index *x);

#endif
