// SPDX-License-Identifier: MIT
/*
 * What the judge() of a case may do: look at a trial, and claim.
 */
#ifndef RSSCK_JUDGE_H
#define RSSCK_JUDGE_H

#include <rssck/trial.h>
#include <rssck/verdict.h>

struct judgement; /* what has been found so far */

/*
 * A claim: `seen` must equal `expected`, in pages; faults, where `what` names a metric that
 * counts those. `what` names the number, `rule` says the claim.
 */
void judge_equal(struct judgement *j, unsigned step, const char *what, int64_t seen,
		 int64_t expected, const char *rule);

/* The same of what the workload reported as `name`. */
void judge_reported(const struct trial *t, struct judgement *j, unsigned step, const char *name,
		    const char *what, int64_t expected, const char *rule);

/* The same in a unit of its own: "kB", "faults", "mappings"; "" for a flag, a key, an inode. */
void judge_equal_in(struct judgement *j, const char *unit, unsigned step, const char *what,
		    int64_t seen, int64_t expected, const char *rule);

/*
 * The same with a bound that a counter model gave; recorded even where it holds. Below 0, the
 * model is unknown: the case is an error where the two differ.
 */
void judge_within(struct judgement *j, unsigned step, unsigned process, const char *what,
		  int64_t seen, int64_t expected, int64_t bound, const char *rule);

/*
 * The bound of a number, in pages, for a judge() that computes with it. Where
 * the model is unknown the case ends in an error that says so, unless another
 * claim fails; what is returned then is so large that nothing fails by it.
 */
enum { BOUND_LARGE = 1 << 30 };
int64_t judge_bound(const struct trial *t, struct judgement *j, enum metric_id id,
		    unsigned threads);

/*
 * A claim that a metric has moved by `expected`, give or take `bound`, which is
 * computed: pages, or for what is no size its own unit. A case that names the
 * metric in its `moves` must come here with it.
 */
void judge_moved(struct judgement *j, unsigned step, enum metric_id id, int64_t seen,
		 int64_t expected, int64_t bound, const char *rule);

/* The same of the leader since an earlier step, to the page. */
void judge_moved_since(const struct trial *t, struct judgement *j, unsigned from, unsigned step,
		       enum metric_id id, int64_t expected, const char *rule);

/* The same where only the least is known. */
void judge_moved_least(struct judgement *j, unsigned step, enum metric_id id, int64_t seen,
		       int64_t least, const char *rule);

/* Any claim, in words. */
void judge_true(struct judgement *j, unsigned step, bool holds, const char *rule);

/* A behaviour of this kernel. The value must be one of those that the case declares. */
void judge_fact(struct judgement *j, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A behaviour that is one of `n` of `all` pages: of none of them, of all, or of some. */
void judge_fact_of(struct judgement *j, const char *name, int64_t n, int64_t all, const char *none,
		   const char *whole, const char *some);

/* A point of a curve that the run keeps for plots: no claim, so it stands beside one. */
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

/*
 * What a counter does not show yet of what the page tables hold, in pages, at the moment after
 * that step; 0 where either is not there.
 */
int64_t trial_lag(const struct trial *t, unsigned step, unsigned process, enum metric_id id);

/*
 * A claim: of so many pages that were touched since the last settling, by one thread
 * on one CPU and fewer than any batch, the counter lacks none, some or all, as its
 * measured model has it. With an unknown model nothing is claimed.
 */
void judge_held_back(const struct trial *t, struct judgement *j, unsigned step, unsigned process,
		     enum metric_id id, int64_t pages);

/* The precise number that a counter should equal, in pages; -1 where it cannot be known. */
int64_t precise_of_counter(const struct snapshot *s, enum metric_id id, long page_size);

#endif
