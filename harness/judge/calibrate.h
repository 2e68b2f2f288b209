// SPDX-License-Identifier: MIT
/* The staircases of counters and peaks, and the counter model that they show. */
#ifndef RSSCK_CALIBRATE_H
#define RSSCK_CALIBRATE_H

#include <rssck/model.h>

/*
 * How one counter rose, in pages, while pages of its class were touched one by one. `said` is its
 * value after each touch by one thread on one CPU, ending with a jump. The other members are the
 * number of touches up to the next jump, after `held` pages had been touched that no jump had shown
 * yet.
 */
struct staircase {
	const int64_t *said;
	size_t n;
	int64_t held;
	int64_t gap_there;      /* from one jump to the next on another CPU; 0: there is none */
	int64_t after_move;     /* touches to the next jump on this CPU, after pages were held back
				 * on it and the counter has jumped twice on another */
	int64_t after_other;    /* pages held back by another thread on this CPU: touches to our
				 * next jump */
	bool flushed_by_faults; /* read faults on the zero page made the held pages show */
};

struct counter_model model_from_staircase(const struct staircase *c);

/*
 * Where nothing is held back, a peak counts even FALL_FEW pages; FALL_FAULTS is more than any
 * batch.
 */
enum { FALL_FEW = 5, FALL_FAULTS = 128 };

/*
 * How many of n pages a stored peak includes, if they were touched one by one after all counters
 * had been settled and before memory was unmapped.
 */
struct fall {
	int64_t guess;                     /* the batch of other counters; 0: they are exact */
	int64_t fewest;                    /* the smallest number of pages of which any were
					    * included; 0: of none */
	int64_t seen_of_few;               /* of FALL_FEW, where `fewest` is 1 */
	int64_t seen_of_fewest;            /* the next two are measured only where it is more */
	int64_t seen_of_half;              /* of half of the fewest pages */
	int64_t seen_of_half_after_faults; /* the same, with read faults on the zero page after them
					    */
};

struct counter_model model_from_fall(const struct fall *f);

#endif
