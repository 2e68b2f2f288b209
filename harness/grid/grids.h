// SPDX-License-Identifier: MIT
/* Grids of several kernels: where they agree, and the effect of an act in words. */
#ifndef RSSCK_GRIDS_H
#define RSSCK_GRIDS_H

#include "grid.h"
#include "runs/kernels.h"

/* Sorted by release. */
struct grids {
	struct grid *of; /* owned */
	size_t nr;
	struct kernels kernels; /* their releases; owned */
};

/* 0, or -1 with a sentence in `why`. */
int grids_load(struct grids *g, char *const *paths, size_t nr, char *why, size_t size);
void grids_free(struct grids *g);

/* The grid of the newest kernel: its kinds and acts include those of all others. */
const struct grid *grids_newest(const struct grids *g);

/* A number for people, the sum of some columns. */
struct grid_number {
	const char *name;
	unsigned columns; /* bits of these columns */
};

/* grid_numbers(): all such numbers, [0, *nr). grid_value(): the value of one. */
const struct grid_number *grid_numbers(size_t *nr);
int64_t grid_value(const struct grid_number *n, const struct grid_cell *c);

/* The effect of an act on a kind of memory; NULL if the kernel does not have it. */
struct grid_effect {
	const struct grid_cell *before, *after;
};
struct grid_effect grid_effect(const struct grid *g, const char *kind, const char *act);

enum { EFFECT_WORDS = 400 };

/* "VmRSS -16 kB, RssAnon -16 kB"; "refused: EINVAL"; "nothing moves". */
const char *grid_effect_words(const struct grid_effect *e, char buf[EFFECT_WORDS]);

/* "EINVAL" */
const char *grid_error_name(const struct grid_effect *e, char *buf, size_t size);

enum { GRIDS_MAX = 64 };

/*
 * Groups kernels by equal effect: the groups are numbered from 1 in the order in which they
 * appear; 0: not known on that kernel. Returns the number of groups.
 */
unsigned grids_group(const struct grids *g, const char *kind, const char *act,
		     unsigned group[GRIDS_MAX]);

/*
 * Writes the kernels of a group, "6.1 and later", and returns the effect on the first of them
 * that has all columns.
 */
struct grid_effect grids_of_group(const struct grids *g, const char *kind, const char *act,
				  const unsigned group[GRIDS_MAX], unsigned which, char *kernels,
				  size_t size);

#endif
