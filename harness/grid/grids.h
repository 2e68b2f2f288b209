// SPDX-License-Identifier: MIT
/* Grids of several kernels: compares them, and describes the effect of an act in words. */
#ifndef RSSCK_GRIDS_H
#define RSSCK_GRIDS_H

#include "grid.h"
#include "runs/kernels.h"

/* Grids, sorted by release. */
struct grids {
	struct grid *of; /* owned */
	size_t nr;
	struct kernels kernels; /* the grids' releases; owned */
};

/* Returns 0, or -1 with a sentence in `why`. */
int grids_load(struct grids *g, char *const *paths, size_t nr, char *why, size_t size);
void grids_free(struct grids *g);

/*
 * Returns the grid of the newest kernel. Its kinds and acts are taken to include those of all older
 * kernels.
 */
const struct grid *grids_newest(const struct grids *g);

/* A number that is shown to people: the sum of some columns. */
struct grid_number {
	const char *name;
	unsigned columns; /* bits of the columns */
};

/*
 * grid_numbers() returns an array of all such numbers and its length *nr. grid_value() returns the
 * value of one number.
 */
const struct grid_number *grid_numbers(size_t *nr);
int64_t grid_value(const struct grid_number *n, const struct grid_cell *c);

/*
 * The numbers before and after an act on a kind of memory; NULL if the kernel lacks the act or the
 * kind.
 */
struct grid_effect {
	const struct grid_cell *before, *after;
};
struct grid_effect grid_effect(const struct grid *g, const char *kind, const char *act);

enum { EFFECT_WORDS = 400 };

/* Returns words like "VmRSS -16 kB, RssAnon -16 kB", "refused: EINVAL" or "nothing moves". */
const char *grid_effect_words(const struct grid_effect *e, char buf[EFFECT_WORDS]);

/* Returns the name of the error, e.g. "EINVAL". */
const char *grid_error_name(const struct grid_effect *e, char *buf, size_t size);

enum { GRIDS_MAX = 64 };

/*
 * Groups the kernels by equal effects. Groups are numbered from 1 in the order in which they
 * appear; 0 means that the effect on this kernel is unknown. Returns the number of groups.
 */
unsigned grids_group(const struct grids *g, const char *kind, const char *act,
		     unsigned group[GRIDS_MAX]);

/*
 * Writes the kernels of a group, e.g. "6.1 and later". Returns the effect on one kernel of the
 * group: the first of those with the newest columns.
 */
struct grid_effect grids_of_group(const struct grids *g, const char *kind, const char *act,
				  const unsigned group[GRIDS_MAX], unsigned which, char *kernels,
				  size_t size);

#endif
