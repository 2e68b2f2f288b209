// SPDX-License-Identifier: MIT
/*
 * Failures with one cause: many cases in which one number is wrong by one rule, or which end for
 * one reason. A fault of the machine shows in this way (a file of /proc that is masked), and so
 * does a bug of the kernel.
 */
#ifndef RSSCK_CAUSES_H
#define RSSCK_CAUSES_H

#include <rssck/verdict.h>
#include <stdio.h>

/* Fewer are reported one by one. */
enum { CAUSE_CASES = 5 };

struct cause {
	const struct discrepancy *number; /* of its first case; NULL: a reason in words */
	const char *reason;               /* that of its first case, without the step */
	size_t first, cases;              /* index of that case, and how many there are */
};

struct causes {
	struct cause *of; /* owned; the one of most cases first */
	size_t nr;
	size_t *cause_of; /* owned; of each result: its cause's index, or nr */
};

/* 0, or -1 where there is no memory. */
int causes_gather(struct causes *c, const struct results *r);
void causes_free(struct causes *c);

/* "202 cases fail by one number ...", and some of the cases: a paragraph for each cause. */
void causes_put(const struct causes *c, const struct results *r, FILE *out);

#endif
