// SPDX-License-Identifier: MIT
/* Known facts about kernels, which explain differences that are no findings. */
#ifndef RSSCK_ATLAS_EXCEPTION_H
#define RSSCK_ATLAS_EXCEPTION_H

#include "look.h"
#include "words.h"
#include <rssck/discrepancy.h>

enum { EXCEPTIONS_MAX = 32 };

/* Two numbers that differ, and their place. */
struct asked {
	const struct look *l;
	const struct snapshot *s; /* NULL: nothing is mapped */
	unsigned process;
	const struct words *w;
	const struct batch *b;
	const struct discrepancy *d;
	int64_t more; /* the seen value less the expected one, in pages */
	const struct verb
		*answers; /* the act that checked the kernel's answers itself; NULL: none */
};

/* Returns the row of the table that explains why the numbers disagree; -1: none does. */
int exception_of(const struct asked *a);

/* The fact in words. */
const char *exception_words(unsigned row);

#endif
