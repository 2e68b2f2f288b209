// SPDX-License-Identifier: MIT
#ifndef RSSCK_JUDGE_PRIVATE_H
#define RSSCK_JUDGE_PRIVATE_H

#include "judge.h"

/* Where a number was read: after which step, of which process. */
struct where {
	const char *step;
	unsigned process;
};

/* What people call that step; "" where no judge() runs. */
const char *judge_title(const struct judgement *j, unsigned step);

/* A claim in words. */
void judge_holds(struct judgement *j, const struct where *where, bool holds, const char *rule);

void judge_record(struct judgement *j, const struct discrepancy *d);

/* The identities of each mapping: smaps against pagemap and the scan, and its own fields. */
void judge_mappings(const struct trial *t, const struct snapshot *s, const struct where *w,
		    struct judgement *j);

/*
 * Two numbers that must be no further apart than `bound`, which is 0 or a rounding; `unit` is that
 * of all three, NULL: what a number of that name is compared in. Below 0, `bound` is unknown: that
 * they differ is noted as what cannot be judged.
 */
void judge_compare(struct judgement *j, const struct where *where, enum rule_id rule,
		   const char *what, int64_t seen, int64_t expected, int64_t bound,
		   const char *unit);

/* The same with the rule in words of the place: a claim of the case, a tool's column. */
void judge_compare_as(struct judgement *j, const struct where *where, enum rule_id rule,
		      const char *words, const char *what, int64_t seen, int64_t expected,
		      int64_t bound, const char *unit);

/* The same for a counter that may lag by `bound`, in pages: a lag is recorded, it does not fail. */
void judge_lag(struct judgement *j, const struct where *where, enum rule_id rule, const char *what,
	       int64_t seen, int64_t expected, int64_t bound);

/*
 * So many kB of the huge pages are missing from Pss at most: none, but on kernels that leave out
 * those of one process, as the probe of the host has measured.
 */
int64_t pss_lacks(const struct trial *t, int64_t anon_huge_kb);

/*
 * How far a counter may be off at that moment, in pages: 0 where settling has made it exact,
 * -1 where its model is unknown.
 */
int64_t counter_lag(const struct trial *t, const struct moment *m, enum metric_id id);

/* A check asks whether the metric has moved by `expected`, in any unit that is also `bound`'s. */
void judge_note_movement(struct judgement *j, enum metric_id id, int64_t expected, int64_t bound);

/* The case's own judge(), if it has one. */
void judge_by_case(const struct trial *t, struct judgement *j);

/* What the case's tools printed at that moment against what they read. */
void judge_tools(const struct moment *m, struct judgement *j);

/*
 * True for mappings that the program brings along: text, libraries, heap,
 * stack, vdso. Others may map the same files and write them back, so who
 * shares them and how dirty they are is not the workload's doing.
 */
bool mapping_is_background(const struct mapping *m, const struct snapshot *baseline,
			   bool has_children);

#endif
