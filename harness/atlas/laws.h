// SPDX-License-Identifier: MIT
/* What must be equal on any one kernel: rows of laws.def, held against a record. */
#ifndef RSSCK_ATLAS_LAWS_H
#define RSSCK_ATLAS_LAWS_H

#include "differ.h"
#include "words.h"

struct violation {
	const char *law, *words; /* its name; the law in words */
	char one[SEQUENCE_TEXT], other[SEQUENCE_TEXT];
	const char *ignored;
};

/* Call violated() for every pair of sequences that a law calls equal, and that show two things. How
 * many pairs were compared. */
uint64_t laws_check(const struct atlas_record *r, const struct words *w,
		    void (*violated)(void *data, const struct violation *v), void *data);

/* Whether two texts are the same, but for what has come of the acts and for ignored numbers. */
bool law_same(const char *one, const char *other, const char *ignored);

#endif
