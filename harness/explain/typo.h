// SPDX-License-Identifier: MIT
/* Reads a misspelt word of a sentence as the known word that it differs from by one letter. */
#ifndef RSSCK_TYPO_H
#define RSSCK_TYPO_H

#include "sentence.h"
#include "topics.h"

/*
 * Corrects the words of five letters and more that no table has, and lists in read_as what they
 * became: "process, memory". Returns 0, or -1 if there is no memory.
 */
int typos_correct(struct sentence *s, const struct topics *all, char *read_as, size_t size);

#endif
