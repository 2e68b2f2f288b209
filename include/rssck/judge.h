// SPDX-License-Identifier: MIT
/*
 * Judging: trials in, discrepancies and facts out. What a case's own judge()
 * may use stands first.
 */
#ifndef RSSCK_JUDGE_H
#define RSSCK_JUDGE_H

#include <rssck/trial.h>
#include <rssck/verdict.h>

/* What has become of a check that a metric moves. */
enum movement {
	MOVEMENT_UNSEEN, /* nothing asked whether it moves */
	MOVEMENT_SMALL,  /* it was asked, but the bound is as large as the movement */
	MOVEMENT_SEEN,   /* had it stood still, the check would have failed */
};

struct snapshot;

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
	char skip[200]; /* a case's judge() found that it cannot tell; empty: it can */
	char left[200]; /* what a step left behind that could not be done; empty: nothing */
};

/* A claim: `seen` must equal `expected`, in pages. `what` names the number, `rule` says the claim.
 */
void judge_equal(struct judgement *j, const char *step, const char *what, int64_t seen,
		 int64_t expected, const char *rule);

/* The same with a bound that a counter model gave; recorded even where it holds. */
void judge_within(struct judgement *j, const char *step, unsigned process, const char *what,
		  int64_t seen, int64_t expected, int64_t bound, const char *rule);

/*
 * A claim that a metric has moved by `expected`, give or take `bound`, which is
 * computed: pages, or for what is no size its own unit. A case that names the
 * metric in its `moves` must come here with it.
 */
void judge_moved(struct judgement *j, const char *step, enum metric_id id, int64_t seen,
		 int64_t expected, int64_t bound, const char *rule);

/* The same where only the least is known. */
void judge_moved_least(struct judgement *j, const char *step, enum metric_id id, int64_t seen,
		       int64_t least, const char *rule);

/* Any claim, in words. */
void judge_true(struct judgement *j, const char *step, bool holds, const char *rule);

/* A behaviour of this kernel. The value must be one of those that the case declares. */
void judge_fact(struct judgement *j, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A point of a curve that the run keeps for plots: no claim, so it is told beside one. */
void judge_point(struct judgement *j, const struct curve_axes *axes, int64_t x, const char *series,
		 int64_t y);

/*
 * How far stat.rss, statm.resident and VmRSS are off at a moment: each within
 * what those holders may hold back, and a point of the curve with that bound
 * beside it.
 */
void judge_lag_point(const struct trial *t, size_t moment, struct judgement *j,
		     const struct curve_axes *axes, int64_t x, const struct holders *holders);

/* Nothing can be said: names what is missing. */
void judge_skip(struct judgement *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- the engine's half ---- */

void judgement_free(struct judgement *j);

/* Everything about a trial: invariants, double entry, the case's own judge(), its facts. */
void judge_trial(const struct trial *t, struct judgement *j);

/* Double entry: what moved between two moments against what was to move. */
void judge_postings(const struct trial *t, size_t from, size_t to, unsigned process,
		    struct judgement *j);

/* True if double entry checks the metric for that process; `born`: the step brought it into being.
 */
bool postings_are_judged(const struct testcase *c, enum metric_id id, bool born);

/* True if a list of postings moves a metric that they are judged for. */
bool postings_move(const struct testcase *c, struct postings p, enum metric_id id, unsigned process,
		   long page_size);

/* What the case should have checked to move, and did not: its name, or NULL. */
const char *judgement_unmoved(const struct trial *t, const struct judgement *j);

/* The identities that hold in every snapshot. */
void judge_invariants(const struct trial *t, size_t moment, unsigned process, struct judgement *j);

/* The value of a metric that a list of postings makes, in the metric's own unit times 4096. */
int64_t postings_sum(struct postings p, const struct metric *m, unsigned process, long page_size);

/* True if every lagging counter agrees with the page tables: the settling has worked. */
bool snapshot_is_settled(const struct snapshot *s, const struct models *m, long page_size);

/* The precise number that a counter should equal, in pages; -1 where it cannot be known. */
int64_t precise_of_counter(const struct snapshot *s, enum metric_id id, long page_size);

/*
 * How one counter went up, in pages, while pages of its class were touched one
 * by one. `said` is what it showed after each touch of one thread on one CPU,
 * ending with a jump; the rest are touches that the next jump took, after
 * `held` pages had been touched that no jump had shown yet.
 */
struct climb {
	const int64_t *said;
	size_t n;
	int64_t held;
	int64_t gap_there;      /* from jump to jump on another CPU; 0: there is none */
	int64_t after_move;     /* held here, two jumps there, back again: to the next jump here */
	int64_t after_other;    /* held by another thread of this CPU: to our next jump */
	bool flushed_by_faults; /* read faults on the zero page made the held pages show */
};

struct counter_model model_from_climb(const struct climb *c);

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
