// SPDX-License-Identifier: MIT
/* What judge() of a case may use: the numbers of a trial, and functions that check claims. */
#ifndef RSSCK_JUDGE_H
#define RSSCK_JUDGE_H

#include <rssck/trial.h>
#include <rssck/verdict.h>

struct judgement; /* the result so far */

/*
 * Checks that `seen` equals `expected`, in pages, or in the unit of metric_noun() if `what` names a
 * metric that is not a size. `what` is the number's name, `rule` the claim in words.
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
 * Like judge_equal(), in another unit: "kB", "faults", "mappings"; "" for a flag, a key or an
 * inode.
 */
void judge_equal_in(struct judgement *j, const char *unit, unsigned step, const char *what,
		    int64_t seen, int64_t expected, const char *rule);

/*
 * Like judge_equal(), with a bound from a counter model. The number is recorded even if it is
 * within the bound or exact. A bound below 0 means that the model is unknown: then a difference
 * makes the case an error.
 */
void judge_within(struct judgement *j, unsigned step, unsigned process, const char *what,
		  int64_t seen, int64_t expected, int64_t bound, const char *rule);

/*
 * Returns the bound of a number, in pages, for a judge() that computes with it. If the model is
 * unknown, the case becomes an error that says so, unless another claim fails. The returned bound
 * is then so large that no claim fails because of it.
 */
enum { BOUND_LARGE = 1 << 30 };
int64_t judge_bound(const struct trial *t, struct judgement *j, enum metric_id id,
		    unsigned threads);

/*
 * Checks that a metric has moved by `expected` plus or minus `bound`: in pages, or in its own unit
 * if it is not a size. A case that lists the metric in `moves` must call this function or one of
 * the next two for it.
 */
void judge_moved(struct judgement *j, unsigned step, enum metric_id id, int64_t seen,
		 int64_t expected, int64_t bound, const char *rule);

/* Like judge_moved(), for the leader since an earlier step, without a bound. */
void judge_moved_since(const struct trial *t, struct judgement *j, unsigned from, unsigned step,
		       enum metric_id id, int64_t expected, const char *rule);

/*
 * Like judge_moved(), if only a lower limit is known: checks that the metric has moved by at least
 * `least`.
 */
void judge_moved_least(struct judgement *j, unsigned step, enum metric_id id, int64_t seen,
		       int64_t least, const char *rule);

/* Checks a condition; `rule` is the claim in words. */
void judge_true(struct judgement *j, unsigned step, bool holds, const char *rule);

/* Reports a fact about this kernel. The value must be one that the case declares. */
void judge_fact(struct judgement *j, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Reports the fact "yes" if the condition holds, else "no". */
void judge_yes_no(struct judgement *j, const char *name, bool holds);

/* Reports a fact about pages: `none` if n is 0, `whole` if n is `all`, else `some`. */
void judge_fact_of(struct judgement *j, const char *name, int64_t n, int64_t all, const char *none,
		   const char *whole, const char *some);

/*
 * Adds a point to a curve that the run records for plots. A point checks nothing, so the case must
 * also make a claim.
 */
void judge_point(struct judgement *j, const struct curve_axes *axes, int64_t x, const char *series,
		 int64_t y);

/*
 * Checks that stat.rss, statm.resident and VmRSS lag by at most the bound for these threads, CPUs
 * and classes (struct holders). Adds the lag and the bound of each to the curve.
 */
void judge_lag_point(const struct trial *t, size_t moment, struct judgement *j,
		     const struct curve_axes *axes, int64_t x, const struct holders *holders);

/* Skips the case if no claim fails and no bound is unknown; the text names what is missing. */
void judge_skip(struct judgement *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Returns how many pages after the step are in the page tables but not yet in a counter; less than
 * 0 if the counter has too many, 0 if either number is missing.
 */
int64_t trial_lag(const struct trial *t, unsigned step, unsigned process, enum metric_id id);

/*
 * Checks a counter after one thread on one CPU has touched `pages` pages since the last settling.
 * An exact counter must lack none of them, a per-CPU counter all, a per-thread counter at least one
 * and at most all. Checks nothing if the model is unknown or absent, or if `pages` is not less than
 * its batch.
 */
void judge_held_back(const struct trial *t, struct judgement *j, unsigned step, unsigned process,
		     enum metric_id id, int64_t pages);

/* Returns the precise number that a counter should equal, in pages; -1 if it is unknown. */
int64_t precise_of_counter(const struct snapshot *s, enum metric_id id, long page_size);

#endif
