// SPDX-License-Identifier: MIT
/* Checks the laws of laws.def on a record. A law names results that must be equal on any kernel. */
#ifndef RSSCK_ATLAS_LAWS_H
#define RSSCK_ATLAS_LAWS_H

#include "words.h"

struct violation {
	const char *law, *words; /* the law's name; the law as a sentence */
	char one[SEQUENCE_TEXT], other[SEQUENCE_TEXT];
	const char *ignored;
};

/*
 * laws_check() calls violated() for each pair of sequences whose results must be equal by a law but
 * differ. It returns the number of pairs that were compared.
 */
struct law_asker {
	const char *(*text)(void *data, const char *words); /* returns the text that a sequence
							     * shows; NULL: it was not read */
	void (*violated)(void *data, const struct violation *v);
	void *data;
};
uint64_t laws_check(const struct words *w, const struct law_asker *a);

/* True if two texts are equal, except for the results of the acts and for ignored numbers. */
bool law_same(const char *one, const char *other, const char *ignored);

#endif
