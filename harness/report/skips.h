// SPDX-License-Identifier: MIT
/* Lists what this machine lacks: the reasons of all skips, each of them once. */
#ifndef RSSCK_SKIPS_H
#define RSSCK_SKIPS_H

#include <rssck/verdict.h>

struct skip_reason {
	char what[320]; /* "swap (/proc/swaps is empty)", "htop is not installed (package htop)" */
	bool is_sentence; /* `what` is a sentence, like the second example, and cannot follow
			   * "needs" */
	size_t cases;
};

struct skip_reasons {
	struct skip_reason *of; /* owned; the reason of the most cases first */
	size_t nr;
};

/*
 * Gathers the reasons. A case that lacks several things counts for each of them. Returns 0, or -1
 * if there is no memory.
 */
int skip_reasons_gather(struct skip_reasons *s, const struct results *r);
void skip_reasons_free(struct skip_reasons *s);

#endif
