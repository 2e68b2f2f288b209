// SPDX-License-Identifier: MIT
/*
 * The grid as text: for each act, its effects in words, and the kinds of memory with the same
 * effect.
 */
#ifndef RSSCK_GRID_LINES_H
#define RSSCK_GRID_LINES_H

#include "grids.h"

/*
 * Returns "dirty -16 kB" if all kernels agree, or "VmRSS -16 kB on 6.1.0; refused: EINVAL on
 * 6.12.43 and later". The caller frees it. Returns NULL if no kernel has the act and the kind.
 */
char *grid_cell_words(const struct grids *g, const char *kind, const char *act, bool *differs);

struct grid_line {
	char *kinds; /* "anon, shm" */
	char *words;
	bool differs; /* kernels differ */
};

struct grid_lines {
	struct grid_line of[GRID_KINDS];
	unsigned nr;
};

/* Makes the lines of an act: one line for all kinds of memory with the same words. */
void grid_lines_make(struct grid_lines *l, const struct grids *g, const char *act);
void grid_lines_free(struct grid_lines *l);

/* Writes the whole grid as a page in Markdown. Returns 0, or -1 with errno. */
int grid_markdown(const struct grids *g, FILE *out);

#endif
