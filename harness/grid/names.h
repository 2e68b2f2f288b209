// SPDX-License-Identifier: MIT
/* Names that people use for the acts and kinds of memory of a grid. */
#ifndef RSSCK_GRID_NAMES_H
#define RSSCK_GRID_NAMES_H

#include "grid.h"

enum grid_word { GRID_IS_KIND, GRID_IS_ACT };
enum { GRID_WHAT = 128 };

/*
 * Writes "madvise(MADV_FREE) of a part in the middle" for "free middle" into buf. A word without a
 * name is written as it is.
 */
const char *grid_what(enum grid_word is, const char *word, char buf[GRID_WHAT]);

/* True if names.def has a row for the word of words.def. */
bool grid_has_name(enum grid_word is, const char *word);

struct grid_asked {
	char act[GRID_NAME], kind[GRID_NAME];
};

/*
 * Parses questions like "MADV_FREE of shmem" and "what does MADV_FREE do to shmem?", or with
 * `verbs` "does MADV_FREE free shmem?". Returns false if the text is not such a question.
 */
bool grid_asked_read(const struct grid *g, const char *text, bool verbs, struct grid_asked *a);

#endif
