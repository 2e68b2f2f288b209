// SPDX-License-Identifier: MIT
/* Finds the sequence of a batch that causes an error, and reproduces the error. */
#ifndef RSSCK_ATLAS_FIND_H
#define RSSCK_ATLAS_FIND_H

#include "run.h"

enum { RULES_MAX = 64, TOLD_OF_EACH = 3 };

struct broken_rule {
	struct suspect first;
	unsigned told;    /* number of sequences for which this rule was found broken */
	uint64_t batches; /* number of further batches in which the rule was broken */
};

struct finder {
	struct atlas *z;
	struct broken_rule rules[RULES_MAX];
	unsigned nr_rules;
	uint64_t findings, unconfirmed;
	/*
	 * Called for each finding. `together` is the number of sequences that must run together to
	 * show it.
	 */
	void (*found)(void *data, const struct sequence *s, unsigned together,
		      const struct suspect *f);
	void *data;
};

/* Sequences in which an act did not return. They are not tried again with any event. */
enum { HUNG_MAX = 64 };
struct hung {
	struct sequence of[HUNG_MAX];
	unsigned nr;
};

/* For is_reported_enough of struct atlas. */
bool finder_reported_enough(const void *finder, const struct suspect *f);

/*
 * Runs each sequence of the batch alone, and again if it shows an error. If none shows the same
 * error twice, runs the whole batch again, then parts of it. If enough sequences were reported for
 * a rule, only counts the batches that break it. Returns RAN, RAN_TROUBLE or RAN_STOPPED.
 */
enum ran finder_search(struct finder *x, const struct batch *b, const struct suspect *f);

#endif
