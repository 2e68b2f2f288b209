// SPDX-License-Identifier: MIT
/* Names that are nearly what the user typed. */
#ifndef RSSCK_NEAREST_H
#define RSSCK_NEAREST_H

/* How many letters must be changed, added, left out or swapped with their neighbour to get from a
 * to b. */
unsigned edit_distance(const char *a, const char *b);

/* The nearest word of a list that ends with NULL, or NULL if none is near. */
const char *nearest_word(const char *word, const char *const *list);

#endif
