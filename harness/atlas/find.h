// SPDX-License-Identifier: MIT
/* From a batch in which something is wrong to the sequence that shows it, and shows it again. */
#ifndef RSSCK_ATLAS_FIND_H
#define RSSCK_ATLAS_FIND_H

#include "run.h"

enum { RULES_MAX = 64, TOLD_OF_EACH = 3 };

/* One rule that does not hold, and how much was found of it. */
struct broken_rule {
	struct suspect first;
	unsigned told;    /* sequences that were reported */
	uint64_t batches; /* beyond those, in which it was seen */
};

struct finder {
	struct atlas *z;
	struct broken_rule rules[RULES_MAX];
	unsigned nr_rules;
	uint64_t findings, unconfirmed;
	/* Gets each finding. `company`: how many sequences must run together; 1: it is alone. */
	void (*found)(void *data, const struct sequence *s, unsigned company,
		      const struct suspect *f);
	void *data;
};

/* Sequences of which an act has not returned: they are not tried with another event. */
enum { HUNG_MAX = 64 };
struct hung {
	struct sequence of[HUNG_MAX];
	unsigned nr;
};

/* For struct atlas: whether a rule has been reported often enough. */
bool finder_has_told(const void *finder, const struct suspect *f);

/*
 * Run each sequence of the batch by itself, twice; if none shows what the batch has shown, the
 * batch again. A rule that was reported often enough is only counted. RAN; or RAN_TROUBLE,
 * RAN_STOPPED.
 */
enum ran finder_search(struct finder *x, const struct batch *b, const struct suspect *f);

#endif
