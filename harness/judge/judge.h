// SPDX-License-Identifier: MIT
/* Judges a trial: returns its discrepancies, facts and curves. */
#ifndef RSSCK_JUDGEMENT_H
#define RSSCK_JUDGEMENT_H

#include <rssck/case.h>
#include <rssck/verdict.h>

/* Whether the run checked that a metric moves. */
enum movement {
	MOVEMENT_UNSEEN, /* no check covered its movement */
	MOVEMENT_SMALL, /* a check covered the metric, but would have passed without the movement */
	MOVEMENT_SEEN,  /* a check would have failed if the metric had not moved */
};

struct judgement {
	struct discrepancy *discrepancies; /* owned */
	size_t nr_discrepancies;
	struct fact facts[FACTS_MAX];
	size_t nr_facts;
	size_t nr_checks;
	unsigned char moved[METRIC_COUNT]; /* enum movement */
	struct curve *curves;              /* owned */
	size_t nr_curves;
	bool failed;
	char skip[200]; /* why a case's judge() could not judge; empty if it could */
	const struct trial
		*t; /* the trial that judge() is called with; NULL while judge() is not running */
	char error[CASE_ERROR_SIZE]; /* an error in the case itself; empty: none */
	/*
	 * the first number that could not be judged because its counter model is unknown; empty:
	 * none
	 */
	char unknown[200];
	char left[200]; /* what a skipped step left behind; empty: nothing */
};

void judgement_free(struct judgement *j);

/* Judges a trial: the identities, double entry, what tools printed, and the case's own judge(). */
void judge_trial(const struct trial *t, struct judgement *j);

/*
 * Compares the movement of each metric between two moments with the expected movement (double
 * entry).
 */
void judge_postings(const struct trial *t, size_t from, size_t to, unsigned process,
		    struct judgement *j);

/* True if the postings move a metric, and double entry checks that metric. */
bool postings_move(const struct testcase *c, struct postings p, enum metric_id id, unsigned process,
		   long page_size);

/* Returns the name of a metric whose movement the case should have checked but did not, or NULL. */
const char *judgement_unmoved(const struct trial *t, const struct judgement *j);

/* Checks the identities that hold in every snapshot. */
void judge_invariants(const struct trial *t, size_t moment, unsigned process, struct judgement *j);

/* Returns the movement of a metric that the postings predict, in 1/4096 of the metric's unit. */
int64_t postings_sum(struct postings p, const struct metric *m, unsigned process, long page_size);

/*
 * True if every lagging counter agrees with the page tables, which shows that settling has worked.
 */
bool snapshot_is_settled(const struct snapshot *s, const struct models *m, long page_size);

#endif
