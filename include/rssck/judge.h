// SPDX-License-Identifier: MIT
/* What the judge() of a case may use: the numbers of a trial, and claims. */
#ifndef RSSCK_JUDGE_H
#define RSSCK_JUDGE_H

#include <rssck/trial.h>
#include <rssck/verdict.h>

struct judgement; /* the findings so far */

/*
 * A claim: `seen` must equal `expected`, in pages; or in faults, if `what` names a metric that
 * counts faults. `what` names the number, `rule` states the claim.
 */
void judge_equal(struct judgement *j, unsigned step, const char *what, int64_t seen,
		 int64_t expected, const char *rule);

/* The same claim for the number that the workload reported as `name`. */
void judge_reported(const struct trial *t, struct judgement *j, unsigned step, const char *name,
		    const char *what, int64_t expected, const char *rule);

/* The same claim in another unit: "kB", "faults", "mappings"; "" for a flag, a key, an inode. */
void judge_equal_in(struct judgement *j, const char *unit, unsigned step, const char *what,
		    int64_t seen, int64_t expected, const char *rule);

/*
 * The same claim with a bound from a counter model; it is recorded even if it holds. A bound
 * below 0 means that the model is unknown: then a difference makes the case an error.
 */
void judge_within(struct judgement *j, unsigned step, unsigned process, const char *what,
		  int64_t seen, int64_t expected, int64_t bound, const char *rule);

/*
 * The bound of a number, in pages, for a judge() that computes with it. If the model is unknown the
 * case ends in an error that says so, unless another claim fails; the returned bound is then so
 * large that no claim fails because of it.
 */
enum { BOUND_LARGE = 1 << 30 };
int64_t judge_bound(const struct trial *t, struct judgement *j, enum metric_id id,
		    unsigned threads);

/*
 * A claim that a metric has moved by `expected`, plus or minus `bound`: in pages, or if the metric
 * is not a size, in its own unit. A case that lists the metric in its `moves` must call this for
 * it.
 */
void judge_moved(struct judgement *j, unsigned step, enum metric_id id, int64_t seen,
		 int64_t expected, int64_t bound, const char *rule);

/* The same for the leader since an earlier step, without a bound. */
void judge_moved_since(const struct trial *t, struct judgement *j, unsigned from, unsigned step,
		       enum metric_id id, int64_t expected, const char *rule);

/* The same claim when only a lower limit is known. */
void judge_moved_least(struct judgement *j, unsigned step, enum metric_id id, int64_t seen,
		       int64_t least, const char *rule);

/* A claim in words. */
void judge_true(struct judgement *j, unsigned step, bool holds, const char *rule);

/* A behaviour of this kernel. The value must be one that the case declares. */
void judge_fact(struct judgement *j, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A behaviour that `n` of `all` pages show: the fact's value is that for none, all, or
 * some of them.
 */
void judge_fact_of(struct judgement *j, const char *name, int64_t n, int64_t all, const char *none,
		   const char *whole, const char *some);

/*
 * Adds a point to a curve that the run keeps for plots. A point checks nothing: make a claim, too.
 */
void judge_point(struct judgement *j, const struct curve_axes *axes, int64_t x, const char *series,
		 int64_t y);

/*
 * How far stat.rss, statm.resident and VmRSS are off at a moment: claims that each is off by at
 * most what those holders may hold back, and adds a point with that bound to the curve.
 */
void judge_lag_point(const struct trial *t, size_t moment, struct judgement *j,
		     const struct curve_axes *axes, int64_t x, const struct holders *holders);

/* The case cannot be judged; the text names what is missing. */
void judge_skip(struct judgement *j, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * How many pages are in the page tables but not yet in a counter, at the moment after that step;
 * 0 if either number is missing.
 */
int64_t trial_lag(const struct trial *t, unsigned step, unsigned process, enum metric_id id);

/*
 * A claim about pages that were touched since the last settling by one thread on one CPU, fewer
 * than any batch: the counter lacks none, some or all of them, as its measured model predicts. With
 * an unknown model there is no claim.
 */
void judge_held_back(const struct trial *t, struct judgement *j, unsigned step, unsigned process,
		     enum metric_id id, int64_t pages);

/* The precise number that a counter should equal, in pages; -1 if it cannot be known. */
int64_t precise_of_counter(const struct snapshot *s, enum metric_id id, long page_size);

#endif
