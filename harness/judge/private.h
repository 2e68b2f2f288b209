// SPDX-License-Identifier: MIT
#ifndef RSSCK_JUDGE_PRIVATE_H
#define RSSCK_JUDGE_PRIVATE_H

#include "judge.h"

/* The step after which a number was read, and the process. */
struct where {
	const char *step;
	unsigned process;
};

/*
 * Returns the title of a step: "exit" for STEP_EXIT, and "" if no judge() is running or the step
 * has no moment.
 */
const char *judge_title(const struct judgement *j, unsigned step);

/* Checks a claim that is true or false. */
void judge_holds(struct judgement *j, const struct where *where, bool holds, const char *rule);

/*
 * Checks the identities of each mapping: smaps against pagemap, PAGEMAP_SCAN, numa_maps, kpageflags
 * and itself. Also checks sums over the mappings.
 */
void judge_mappings(const struct trial *t, const struct snapshot *s, const struct where *w,
		    struct judgement *j);

/*
 * Compares two numbers, which may differ by at most `bound`: 0, a rounding or a lag. A negative
 * bound is unknown; a difference is then noted as not judged. `unit` is the unit of all three
 * numbers; NULL: the unit in which a metric of that name is compared.
 */
void judge_compare(struct judgement *j, const struct where *where, enum rule_id rule,
		   const char *what, int64_t seen, int64_t expected, int64_t bound,
		   const char *unit);

/*
 * Like judge_compare(), with the caller's words for the rule: a claim of the case, or a tool's
 * column.
 */
void judge_compare_as(struct judgement *j, const struct where *where, enum rule_id rule,
		      const char *words, const char *what, int64_t seen, int64_t expected,
		      int64_t bound, const char *unit);

/*
 * Like judge_compare(), for a counter that may lag by `bound` pages. A lag is recorded, but is a
 * failure only if it exceeds `bound`.
 */
void judge_lag(struct judgement *j, const struct where *where, enum rule_id rule, const char *what,
	       int64_t seen, int64_t expected, int64_t bound);

/*
 * Returns the most that huge pages may be missing from Pss, in kB. It is 0 unless this kernel
 * leaves out huge pages that only one process maps, as measured on this host.
 */
int64_t pss_lacks(const struct trial *t, int64_t anon_huge_kb);

/*
 * Returns how far a counter may be off at that moment, in pages: 0 if settling has made it exact,
 * -1 if its model is unknown.
 */
int64_t counter_lag(const struct trial *t, const struct moment *m, enum metric_id id);

/* Notes that a check covers the metric's movement by `expected`. `bound` has the same unit. */
void judge_note_movement(struct judgement *j, enum metric_id id, int64_t expected, int64_t bound);

/* Calls the case's own judge(), if it has one. */
void judge_by_case(const struct trial *t, struct judgement *j);

/*
 * Compares what the case's tools printed at that moment with rssck's own reading of the same files.
 */
void judge_tools(const struct moment *m, struct judgement *j);

#endif
