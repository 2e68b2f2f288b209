// SPDX-License-Identifier: MIT
/* Known facts about kernels, which are therefore no findings. */
#ifndef RSSCK_ATLAS_EXCEPTION_H
#define RSSCK_ATLAS_EXCEPTION_H

#include "look.h"
#include "words.h"
#include <rssck/discrepancy.h>

enum { EXCEPTIONS_MAX = 32 };

/* Two numbers that differ, and where. */
struct asked {
	const struct look *l;
	const struct snapshot *s; /* NULL: nothing is mapped any more */
	unsigned process;
	const struct words *w;
	const struct batch *b;
	const struct discrepancy *d;
	int64_t more;               /* what is seen, less what is expected: in pages */
	const struct verb *answers; /* the act that has asked the kernel itself; NULL: none */
};

/* The row of the table that explains why the numbers may disagree; -1: none does. */
int exception_of(const struct asked *a);

/* The fact, in a sentence. */
const char *exception_words(unsigned row);

#endif
