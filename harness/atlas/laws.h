// SPDX-License-Identifier: MIT
/* Numbers that must be equal on any one kernel: the rows of laws.def, checked on a record. */
#ifndef RSSCK_ATLAS_LAWS_H
#define RSSCK_ATLAS_LAWS_H

#include "words.h"

struct violation {
	const char *law, *words; /* its name; the law in words */
	char one[SEQUENCE_TEXT], other[SEQUENCE_TEXT];
	const char *ignored;
};

/*
 * Calls violated() for every pair of sequences that a law declares equal but that differ. Returns
 * how many pairs were compared.
 */
struct law_asker {
	const char *(*text)(void *data, const char *words); /* the text that the sequence shows;
							     * NULL: it was not read */
	void (*violated)(void *data, const struct violation *v);
	void *data;
};
uint64_t laws_check(const struct words *w, const struct law_asker *a);

/* True if two texts are equal, apart from the acts' own results and ignored numbers. */
bool law_same(const char *one, const char *other, const char *ignored);

#endif
