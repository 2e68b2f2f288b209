// SPDX-License-Identifier: MIT
/* Derives counter models from the staircases of counters and peaks. */
#ifndef RSSCK_CALIBRATE_H
#define RSSCK_CALIBRATE_H

#include <rssck/model.h>

/*
 * The record of one counter, in pages, while pages of its class are touched one by one. said[] is
 * the value of the counter after each touch by one thread on one CPU; the last touch causes a jump.
 * `held` is the number of pages that this CPU holds back when the counting for after_move and
 * after_other begins.
 */
struct staircase {
	const int64_t *said;
	size_t n;
	int64_t held;
	int64_t gap_there; /* touches from one jump to the next on another CPU; 0: there is no other
			      CPU */
	int64_t after_move; /* touches until the next jump on this CPU, after it held back pages and
			       the counter then jumped twice on another CPU */
	int64_t after_other; /* touches until this thread's next jump, after another thread on this
				CPU had pages held back */
	bool flushed_by_faults; /* read faults of the zero page made the counter include the pages
				   held back */
};

struct counter_model model_from_staircase(const struct staircase *c);

/*
 * FALL_FEW: the peak of an exact counter includes even so few pages. FALL_FAULTS: more faults than
 * a thread makes before it flushes its counts (TASK_RSS_EVENTS_THRESH).
 */
enum { FALL_FEW = 5, FALL_FAULTS = 128 };

/*
 * How many of n touched pages the peak includes. The measurement settles all counters, touches n
 * pages, and then unmaps memory, which makes the kernel store the peak.
 */
struct fall {
	int64_t guess;       /* the batch of other counters; 0: they are exact */
	int64_t fewest;      /* the smallest number of touched pages at which a peak included any of
				them; 0: no peak did */
	int64_t seen_of_few; /* pages included when FALL_FEW were touched; measured if `fewest` is 1
			      */
	int64_t seen_of_fewest; /* pages included when `fewest` were touched; this and the next two
				   are measured only if `fewest` is more than 1 */
	int64_t seen_of_half;   /* pages included when half of `fewest` were touched */
	int64_t seen_of_half_after_faults; /* the same, with read faults of the zero page after the
					      touches */
};

struct counter_model model_from_fall(const struct fall *f);

#endif
