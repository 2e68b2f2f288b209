// SPDX-License-Identifier: MIT
/*
 * Failures with one cause: many cases in which one number breaks one rule, or which ended for
 * one reason. A fault of the machine (a file of /proc that is masked) shows in this way, and so
 * does a bug of the kernel.
 */
#ifndef RSSCK_CAUSES_H
#define RSSCK_CAUSES_H

#include <rssck/verdict.h>
#include <stdio.h>

/* Smaller groups are reported case by case. */
enum { CAUSE_CASES = 5 };

struct cause {
	const struct discrepancy *number; /* the number in its first case; NULL: the cause is a
					   * reason in words */
	const char *reason;               /* the reason of its first case, without the step */
	size_t first, cases;              /* index of that case, and the number of cases */
};

struct causes {
	struct cause *of; /* owned; the cause of the most cases first */
	size_t nr;
	size_t *cause_of; /* owned; for each result the index of its cause, or nr */
};

/* Returns 0, or -1 if there is no memory. */
int causes_gather(struct causes *c, const struct results *r);
void causes_free(struct causes *c);

/* Prints "202 cases fail by one number ..." and some of the cases: a paragraph for each cause. */
void causes_put(const struct causes *c, const struct results *r, FILE *out);

#endif
