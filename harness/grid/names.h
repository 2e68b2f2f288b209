// SPDX-License-Identifier: MIT
/* Names that people use for the acts and the kinds of memory of a grid. */
#ifndef RSSCK_GRID_NAMES_H
#define RSSCK_GRID_NAMES_H

#include "grid.h"

enum grid_word { GRID_IS_KIND, GRID_IS_ACT };
enum { GRID_WHAT = 128 };

/*
 * "madvise(MADV_FREE) of a part in the middle" for "free middle"; the word itself if it has no
 * name. Writes into buf.
 */
const char *grid_what(enum grid_word is, const char *word, char buf[GRID_WHAT]);

/* True if words.def's word has a row of names. */
bool grid_has_name(enum grid_word is, const char *word);

struct grid_asked {
	char act[GRID_NAME], kind[GRID_NAME];
};

/*
 * Parses "MADV_FREE of shmem", "what does MADV_FREE do to shmem?". False: it is no such
 * question.
 */
bool grid_asked_read(const struct grid *g, const char *text, struct grid_asked *a);

#endif
