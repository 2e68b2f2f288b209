// SPDX-License-Identifier: MIT
/* Judges: takes a trial, returns discrepancies, facts and curves. */
#ifndef RSSCK_JUDGEMENT_H
#define RSSCK_JUDGEMENT_H

#include <rssck/case.h>
#include <rssck/verdict.h>

/* The state of a check that a metric moves. */
enum movement {
	MOVEMENT_UNSEEN, /* nothing checked whether it moves */
	MOVEMENT_SMALL,  /* it was checked, but the bound is as large as the movement */
	MOVEMENT_SEEN,   /* the check would have failed if the metric had stood still */
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
	char skip[200];        /* why a case's judge() could not judge; empty: no such reason */
	const struct trial *t; /* the trial that judge() makes claims about; NULL: judge() is
				* not running */
	char error[CASE_ERROR_SIZE]; /* the case itself is wrong; empty: it is not */
	/*
	 * the first number that could not be judged because its counter's model is unknown; empty:
	 * none
	 */
	char unknown[200];
	char left[200]; /* objects that a step left behind when it could not be done; empty: none */
};

void judgement_free(struct judgement *j);

/* Judges everything about a trial: invariants, double entry, the case's own judge(), its facts. */
void judge_trial(const struct trial *t, struct judgement *j);

/* Double entry: compares what moved between two moments with what should have moved. */
void judge_postings(const struct trial *t, size_t from, size_t to, unsigned process,
		    struct judgement *j);

/* True if a list of postings moves a metric that is checked against it. */
bool postings_move(const struct testcase *c, struct postings p, enum metric_id id, unsigned process,
		   long page_size);

/* The name of a metric whose movement the case should have checked but did not, or NULL. */
const char *judgement_unmoved(const struct trial *t, const struct judgement *j);

/* The identities that hold in every snapshot. */
void judge_invariants(const struct trial *t, size_t moment, unsigned process, struct judgement *j);

/* The value that a list of postings gives a metric, in the metric's own unit times 4096. */
int64_t postings_sum(struct postings p, const struct metric *m, unsigned process, long page_size);

/* True if every lagging counter agrees with the page tables, so that settling has worked. */
bool snapshot_is_settled(const struct snapshot *s, const struct models *m, long page_size);

#endif
