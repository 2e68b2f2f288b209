// SPDX-License-Identifier: MIT
/* Finds the sequence of a batch that causes an error, and shows the error again. */
#ifndef RSSCK_ATLAS_FIND_H
#define RSSCK_ATLAS_FIND_H

#include "run.h"

enum { RULES_MAX = 64, TOLD_OF_EACH = 3 };

/* One rule that is broken, and how often. */
struct broken_rule {
	struct suspect first;
	unsigned told;    /* number of sequences that were reported */
	uint64_t batches; /* number of further batches in which it was seen */
};

struct finder {
	struct atlas *z;
	struct broken_rule rules[RULES_MAX];
	unsigned nr_rules;
	uint64_t findings, unconfirmed;
	/*
	 * Gets each finding. `together`: how many sequences must run together; 1: it is enough to
	 * run it alone.
	 */
	void (*found)(void *data, const struct sequence *s, unsigned together,
		      const struct suspect *f);
	void *data;
};

/* Sequences in which an act did not return: they are not tried with another event. */
enum { HUNG_MAX = 64 };
struct hung {
	struct sequence of[HUNG_MAX];
	unsigned nr;
};

/* For struct atlas: true if a rule has been reported often enough. */
bool finder_reported_enough(const void *finder, const struct suspect *f);

/*
 * Runs each sequence of the batch alone, twice; if none shows the error that the batch showed,
 * runs the batch again. An error of a rule that was reported often enough is only counted.
 * Returns RAN, RAN_TROUBLE or RAN_STOPPED.
 */
enum ran finder_search(struct finder *x, const struct batch *b, const struct suspect *f);

#endif
