// SPDX-License-Identifier: MIT
/*
 * Groups failures that have one cause: cases in which the same number breaks the same rule, or
 * which ended for the same reason. Such a cause may be the machine, as with a masked file of /proc,
 * or a bug of the kernel.
 */
#ifndef RSSCK_CAUSES_H
#define RSSCK_CAUSES_H

#include <rssck/verdict.h>
#include <stdio.h>

/* Smaller groups are reported case by case. */
enum { CAUSE_CASES = 5 };

struct cause {
	/* The number in the cause's first case; NULL: the cause is a reason in words. */
	const struct discrepancy *number;
	const char *reason;  /* the reason of the cause's first case, without the step */
	size_t first, cases; /* index of the first case, and the number of cases */
};

struct causes {
	struct cause *of; /* owned; the cause of the most cases first */
	size_t nr;
	size_t *cause_of; /* owned; for each result the index of its cause, or nr */
};

/* Returns 0, or -1 if there is no memory. */
int causes_gather(struct causes *c, const struct results *r);
void causes_free(struct causes *c);

/* Prints a paragraph for each cause, with the names of some of its cases. */
void causes_put(const struct causes *c, const struct results *r, FILE *out);

#endif
