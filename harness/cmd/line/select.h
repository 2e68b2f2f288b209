// SPDX-License-Identifier: MIT
/* Selects cases by the words of a command line. */
#ifndef RSSCK_SELECT_H
#define RSSCK_SELECT_H

#include <rssck/case.h>

struct selection {
	const struct case_registration **of; /* sorted by id; owned */
	size_t nr;
};

/*
 * Selects cases by ids ("file/private_write"), groups ("file", "file/") and patterns. Without
 * words, selects all cases except hidden ones. Returns 0, or -1 with a sentence in `why`; for an
 * unknown word the sentence names similar ids.
 */
int select_cases(struct selection *s, char *const *words, size_t nr_words, char *why, size_t size);
void selection_free(struct selection *s);

#endif
