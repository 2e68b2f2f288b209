// SPDX-License-Identifier: MIT
/* The grid in lines: what an act does in words, and the kinds for which it does so. */
#ifndef RSSCK_GRID_LINES_H
#define RSSCK_GRID_LINES_H

#include "grids.h"

/*
 * "dirty -16 kB" if all kernels that have it agree, else "VmRSS -16 kB on 6.1.0; refused: EINVAL on
 * 6.12.43 and later". The caller frees it. NULL: no kernel has it.
 */
char *grid_cell_words(const struct grids *g, const char *kind, const char *act, bool *differs);

struct grid_line {
	char *kinds; /* "anon, shm" */
	char *words;
	bool differs; /* kernels do */
};

struct grid_lines {
	struct grid_line of[GRID_KINDS];
	unsigned nr;
};

/* grid_lines_make(): what an act does, with one line for all kinds that have the same words. */
void grid_lines_make(struct grid_lines *l, const struct grids *g, const char *act);
void grid_lines_free(struct grid_lines *l);

/* Writes all of it as a page in Markdown. Returns 0, or -1 with errno. */
int grid_markdown(const struct grids *g, FILE *out);

#endif
