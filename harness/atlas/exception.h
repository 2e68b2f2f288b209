// SPDX-License-Identifier: MIT
/*
 * Known facts about kernels that explain why some numbers differ. Such differences are not
 * findings.
 */
#ifndef RSSCK_ATLAS_EXCEPTION_H
#define RSSCK_ATLAS_EXCEPTION_H

#include "look.h"
#include "words.h"
#include <rssck/discrepancy.h>

enum { EXCEPTIONS_MAX = 32 };

/* Two numbers that differ, and the place where they were read. */
struct asked {
	const struct look *l;
	const struct snapshot *s; /* NULL if nothing is mapped */
	unsigned process;
	const struct words *w;
	const struct batch *b;
	const struct discrepancy *d;
	int64_t more;               /* the value that was read minus the expected one, in pages */
	const struct verb *answers; /* the act that compared two answers of the kernel, or NULL */
};

/* Returns the number of the exception that explains the difference, or -1. */
int exception_of(const struct asked *a);

/* Returns the fact of an exception as a sentence. */
const char *exception_words(unsigned row);

#endif
