// SPDX-License-Identifier: MIT
/* The staircases of counters and peaks, and the counter model that they show. */
#ifndef RSSCK_CALIBRATE_H
#define RSSCK_CALIBRATE_H

#include <rssck/model.h>

/*
 * How one counter rose, in pages, while pages of its class were touched one by one. `said` is its
 * value after each touch by one thread on one CPU; the last touch causes a jump. The other members
 * are numbers of touches until the next jump, made after `held` pages had been touched that no jump
 * had shown yet.
 */
struct staircase {
	const int64_t *said;
	size_t n;
	int64_t held;
	int64_t gap_there;      /* from one jump to the next on another CPU; 0: there is none */
	int64_t after_move;     /* touches until the next jump on this CPU, after pages were held
				 * back on it and the counter then jumped twice on another CPU */
	int64_t after_other;    /* pages held back by another thread on this CPU: touches to our
				 * next jump */
	bool flushed_by_faults; /* read faults on the zero page made the counter include the held
				 * pages */
};

struct counter_model model_from_staircase(const struct staircase *c);

/*
 * If nothing is held back, a peak includes even FALL_FEW pages; FALL_FAULTS is more than any
 * batch.
 */
enum { FALL_FEW = 5, FALL_FAULTS = 128 };

/*
 * How many of n pages a stored peak includes, if they were touched one by one after all counters
 * had been settled and before memory was unmapped.
 */
struct fall {
	int64_t guess;          /* the batch of other counters; 0: they are exact */
	int64_t fewest;         /* the smallest number of pages of which a peak included
				 * any; 0: no number did */
	int64_t seen_of_few;    /* how many of FALL_FEW were included, if `fewest` is 1 */
	int64_t seen_of_fewest; /* how many of `fewest` were included; this and the next
				 * two are measured only if `fewest` is more than 1 */
	int64_t seen_of_half;   /* how many of `fewest` / 2 were included */
	int64_t seen_of_half_after_faults; /* the same, with read faults on the zero page after the
					    * touches */
};

struct counter_model model_from_fall(const struct fall *f);

#endif
