// SPDX-License-Identifier: MIT
#ifndef RSSCK_JUDGE_PRIVATE_H
#define RSSCK_JUDGE_PRIVATE_H

#include "judge.h"

/* Where a number was read: after which step, of which process. */
struct where {
	const char *step;
	unsigned process;
};

/* The title of that step; "" if no judge() is running. */
const char *judge_title(const struct judgement *j, unsigned step);

/* A claim that either holds or does not. */
void judge_holds(struct judgement *j, const struct where *where, bool holds, const char *rule);

/* The identities of each mapping: smaps against pagemap and the scan, and its own fields. */
void judge_mappings(const struct trial *t, const struct snapshot *s, const struct where *w,
		    struct judgement *j);

/*
 * Two numbers may be at most `bound` apart, which is 0 or a rounding. `unit` is that of all three;
 * NULL: the unit in which a number of that name is compared. Below 0, `bound` is unknown: a
 * difference is noted as something that cannot be judged.
 */
void judge_compare(struct judgement *j, const struct where *where, enum rule_id rule,
		   const char *what, int64_t seen, int64_t expected, int64_t bound,
		   const char *unit);

/* The same with the rule in the caller's words: a claim of the case, a tool's column. */
void judge_compare_as(struct judgement *j, const struct where *where, enum rule_id rule,
		      const char *words, const char *what, int64_t seen, int64_t expected,
		      int64_t bound, const char *unit);

/*
 * The same for a counter that may lag by `bound`, in pages: a lag is recorded, but does not fail.
 */
void judge_lag(struct judgement *j, const struct where *where, enum rule_id rule, const char *what,
	       int64_t seen, int64_t expected, int64_t bound);

/*
 * The most that Pss can lack for huge pages, in kB: 0, except on kernels that leave out huge
 * pages which only one process maps, as measured on this host.
 */
int64_t pss_lacks(const struct trial *t, int64_t anon_huge_kb);

/*
 * How far a counter may be off at that moment, in pages: 0 if settling has made it exact, -1 if its
 * model is unknown.
 */
int64_t counter_lag(const struct trial *t, const struct moment *m, enum metric_id id);

/* Notes a check that the metric has moved by `expected`, which is in the unit of `bound`. */
void judge_note_movement(struct judgement *j, enum metric_id id, int64_t expected, int64_t bound);

/* The case's own judge(), if it has one. */
void judge_by_case(const struct trial *t, struct judgement *j);

/* Compares what the case's tools printed at that moment with what they read. */
void judge_tools(const struct moment *m, struct judgement *j);

#endif
