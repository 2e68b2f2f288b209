// SPDX-License-Identifier: MIT
/* Suggests a name similar to a mistyped one. */
#ifndef RSSCK_NEAREST_H
#define RSSCK_NEAREST_H

/*
 * Returns how many letters must be changed, added, removed or swapped with a neighbour to turn a
 * into b.
 */
unsigned edit_distance(const char *a, const char *b);

/* Returns the word of a NULL-terminated list that is nearest to `word`, or NULL if none is near. */
const char *nearest_word(const char *word, const char *const *list);

#endif
