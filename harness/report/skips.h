// SPDX-License-Identifier: MIT
/* What this machine lacks: the reasons of the skips, each once. */
#ifndef RSSCK_SKIPS_H
#define RSSCK_SKIPS_H

#include <rssck/verdict.h>

struct skip_reason {
	char what[320]; /* "swap (/proc/swaps is empty)", "htop is not installed (package htop)" */
	bool is_sentence; /* a sentence, as the second is: no "needs" before it */
	size_t cases;
};

struct skip_reasons {
	struct skip_reason *of; /* owned; the one of most cases first */
	size_t nr;
};

/* A case that lacks several things is counted by each. 0, or -1 where there is no memory. */
int skip_reasons_gather(struct skip_reasons *s, const struct results *r);
void skip_reasons_free(struct skip_reasons *s);

#endif
