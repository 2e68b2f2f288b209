// SPDX-License-Identifier: MIT
/* What the staircases of counters and peaks tell of how this kernel counts. */
#ifndef RSSCK_CALIBRATE_H
#define RSSCK_CALIBRATE_H

#include <rssck/model.h>

/*
 * How one counter went up, in pages, while pages of its class were touched one
 * by one. `said` is what it showed after each touch of one thread on one CPU,
 * ending with a jump; the rest are touches that the next jump took, after
 * `held` pages had been touched that no jump had shown yet.
 */
struct staircase {
	const int64_t *said;
	size_t n;
	int64_t held;
	int64_t gap_there;      /* from jump to jump on another CPU; 0: there is none */
	int64_t after_move;     /* held here, two jumps there, back again: to the next jump here */
	int64_t after_other;    /* held by another thread of this CPU: to our next jump */
	bool flushed_by_faults; /* read faults on the zero page made the held pages show */
};

struct counter_model model_from_staircase(const struct staircase *c);

/* FALL_FEW pages are seen one by one where nothing is held back; faults that any batch is below. */
enum { FALL_FEW = 5, FALL_FAULTS = 128 };

/*
 * What a stored peak has seen of n pages that were touched one by one, since
 * all counters had been settled and before memory was given back.
 */
struct fall {
	int64_t guess;                     /* the batch of other numbers; 0: they are exact */
	int64_t fewest;                    /* the fewest pages of which any were seen; 0: of none */
	int64_t seen_of_few;               /* of FALL_FEW, where `fewest` is 1 */
	int64_t seen_of_fewest;            /* the rest is asked where it is more */
	int64_t seen_of_half;              /* of half of the fewest */
	int64_t seen_of_half_after_faults; /* and read faults on the zero page after them */
};

struct counter_model model_from_fall(const struct fall *f);

#endif
