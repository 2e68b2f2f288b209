// SPDX-License-Identifier: MIT
/*
 * The rules that numbers must keep, and the known bugs of kernels that break them: one table each,
 * rules.def and history.def. A rule is identified by its id; its wording may change at any time.
 */
#ifndef RSSCK_RULE_H
#define RSSCK_RULE_H

#include <rssck/bug.h>
#include <rssck/metric.h>

#define RULE(id, ...)     RULE_##id,
#define IDENTITY(id, ...) RULE_##id,
enum rule_id {
	RULE_NONE, /* not known: recorded by an older rssck */
#include <rssck/rules.def>
	RULE_COUNT,
};
#undef RULE
#undef IDENTITY

/* What a rule is about. */
enum rule_place { PLACE_PROCESS, PLACE_MAPPING, PLACE_PAGE, PLACE_PROGRAM, PLACE_MACHINE };

enum relation { RELATION_NONE, RELATION_EQUAL, RELATION_AT_MOST };

enum { RULE_TERMS = 8 };

struct rule {
	const char *name; /* its id: "VMRSS_CLASSES" */
	const char *words;
	enum rule_place place;
	enum relation relation; /* between the sum of `left` and that of `right`; RELATION_NONE:
				 * code checks the rule */
	int nr_left, nr_right;
	enum metric_id left[RULE_TERMS], right[RULE_TERMS]; /* the metrics that it is about; none:
							     * any */
	enum bug_id bugs[RULE_TERMS];                       /* BUG_NONE after the last */
};

/* The row of a rule. */
const struct rule *rule(enum rule_id id);

/* The rule with that name, or RULE_NONE. */
enum rule_id rule_by_name(const char *name);

/*
 * The i-th known bug that breaks the rule: first the bugs in its row, then those that can
 * break any rule (smaps leaves out a page, or counts one that no longer exists). BUG_NONE
 * after the last.
 */
enum bug_id rule_bug(enum rule_id id, size_t i);

#endif
