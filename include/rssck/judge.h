// SPDX-License-Identifier: MIT
/* The functions by which judge() of a case checks claims. */
#ifndef RSSCK_JUDGE_H
#define RSSCK_JUDGE_H

#include <rssck/trial.h>
#include <rssck/verdict.h>

struct judgement;

/*
 * Checks that `seen` equals `expected`, in pages; if `what` names a metric that is not a size, in
 * the metric's unit. `what` is the number's name, `rule` the claim in words.
 */
void judge_equal(struct judgement *j, unsigned step, const char *what, int64_t seen,
		 int64_t expected, const char *rule);

/*
 * Like judge_equal(), for the number that the workload reported as `name`. Checks nothing if the
 * step was skipped.
 */
void judge_reported(const struct trial *t, struct judgement *j, unsigned step, const char *name,
		    const char *what, int64_t expected, const char *rule);

/*
 * Like judge_equal(), in the given unit: "kB", "faults", "mappings"; "" for a flag, a key or an
 * inode.
 */
void judge_equal_in(struct judgement *j, const char *unit, unsigned step, const char *what,
		    int64_t seen, int64_t expected, const char *rule);

/* Like judge_reported(), in the given unit. */
void judge_reported_in(const struct trial *t, struct judgement *j, const char *unit, unsigned step,
		       const char *name, const char *what, int64_t expected, const char *rule);

/*
 * Like judge_equal(), but allows a difference of up to `bound`, from a counter model. Records the
 * number even if it is exact. If `bound` is negative (the model is unknown), a difference ends the
 * case with an error.
 */
void judge_within(struct judgement *j, unsigned step, unsigned process, const char *what,
		  int64_t seen, int64_t expected, int64_t bound, const char *rule);

/*
 * Returns the bound of a number in pages, for a judge() that computes with it. If the model is
 * unknown, returns BOUND_LARGE, with which no claim can fail; the case then ends with an error
 * unless another claim fails.
 */
enum { BOUND_LARGE = 1 << 30 };
int64_t judge_bound(const struct trial *t, struct judgement *j, enum metric_id id,
		    unsigned threads);

/*
 * Checks that a metric has moved by `expected` plus or minus `bound`, in pages or, if it is not a
 * size, in its own unit. For each metric in its `moves` a case must call this function or one of
 * the next two.
 */
void judge_moved(struct judgement *j, unsigned step, enum metric_id id, int64_t seen,
		 int64_t expected, int64_t bound, const char *rule);

/* Like judge_moved(), without a bound, for the leader's metric since step `from`. */
void judge_moved_since(const struct trial *t, struct judgement *j, unsigned from, unsigned step,
		       enum metric_id id, int64_t expected, const char *rule);

/* Like judge_moved(), but checks that the metric has moved by at least `least`. */
void judge_moved_least(struct judgement *j, unsigned step, enum metric_id id, int64_t seen,
		       int64_t least, const char *rule);

/* Checks a condition; `rule` is the claim in words. */
void judge_true(struct judgement *j, unsigned step, bool holds, const char *rule);

/* Reports a fact about this kernel. If the case does not declare this value, the case fails. */
void judge_fact(struct judgement *j, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Reports the fact "yes" if the condition holds, else "no". */
void judge_yes_no(struct judgement *j, const char *name, bool holds);

/*
 * Reports a fact about `all` pages, of which n have a property: `none` if n is 0, `whole` if n is
 * `all`, else `some`.
 */
void judge_fact_of(struct judgement *j, const char *name, int64_t n, int64_t all, const char *none,
		   const char *whole, const char *some);

/* Adds a point to a curve. A point is only recorded; it checks nothing. */
void judge_point(struct judgement *j, const struct curve_axes *axes, int64_t x, const char *series,
		 int64_t y);

/*
 * Checks that stat.rss, statm.resident and VmRSS lag by at most the bound for these holders. Adds
 * the lag and the bound of each to the curve.
 */
void judge_lag_point(const struct trial *t, size_t moment, struct judgement *j,
		     const struct curve_axes *axes, int64_t x, const struct holders *holders);

/* Skips the case unless a claim fails or a bound is unknown. The text names what is missing. */
void judge_skip(struct judgement *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Returns by how many pages a counter is below the page tables after the step; negative if it is
 * above. Returns 0 if either number is missing.
 */
int64_t trial_lag(const struct trial *t, unsigned step, unsigned process, enum metric_id id);

/*
 * Checks a counter after one thread on one CPU has touched `pages` pages since the last settling.
 * An exact counter must lack none of them, a per-CPU counter all, a per-thread counter 1 to
 * `pages`. Checks nothing if the counter's model is not known, or if the counter lags and `pages`
 * is not below the model's batch.
 */
void judge_held_back(const struct trial *t, struct judgement *j, unsigned step, unsigned process,
		     enum metric_id id, int64_t pages);

/* Returns the value in pages that a counter should have; -1 if it is unknown. */
int64_t precise_of_counter(const struct snapshot *s, enum metric_id id, long page_size);

#endif
