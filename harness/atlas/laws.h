// SPDX-License-Identifier: MIT
/* Checks the laws of laws.def on a record: pairs of sequences that must show the same numbers. */
#ifndef RSSCK_ATLAS_LAWS_H
#define RSSCK_ATLAS_LAWS_H

#include "words.h"

struct violation {
	const char *law, *words; /* the law's name; the law as a sentence */
	char one[SEQUENCE_TEXT], other[SEQUENCE_TEXT];
	const char *ignored;
};

/*
 * laws_check() calls violated() for each pair of sequences that breaks a law. It returns the number
 * of pairs that were compared.
 */
struct law_asker {
	const char *(*text)(void *data, const char *words); /* returns the text that a sequence
							       shows; NULL if it was not read */
	void (*violated)(void *data, const struct violation *v);
	void *data;
};
uint64_t laws_check(const struct words *w, const struct law_asker *a);

/* True if two texts obey a law with this `ignored`. */
bool law_same(const char *one, const char *other, const char *ignored);

#endif
