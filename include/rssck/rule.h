// SPDX-License-Identifier: MIT
/*
 * The rules that numbers must obey, and the kernel bugs that break them: rules.def and history.def.
 * A rule is identified by its id; its wording may change at any time.
 */
#ifndef RSSCK_RULE_H
#define RSSCK_RULE_H

#include <rssck/bug.h>
#include <rssck/metric.h>

#define RULE(id, ...)     RULE_##id,
#define IDENTITY(id, ...) RULE_##id,
enum rule_id {
	RULE_NONE, /* unknown: recorded by an older rssck */
#include <rssck/rules.def>
	RULE_COUNT,
};
#undef RULE
#undef IDENTITY

enum rule_place { PLACE_PROCESS, PLACE_MAPPING, PLACE_PAGE, PLACE_PROGRAM, PLACE_MACHINE };

enum relation { RELATION_NONE, RELATION_EQUAL, RELATION_AT_MOST };

enum { RULE_TERMS = 8 };

struct rule {
	const char *name; /* its id: "VMRSS_CLASSES" */
	const char *words;
	enum rule_place place;
	enum relation relation; /* between the sums; RELATION_NONE if code checks the rule */
	int nr_left, nr_right;
	enum metric_id left[RULE_TERMS], right[RULE_TERMS]; /* metrics; empty for any */
	unsigned short bugs[RULE_TERMS];                    /* of enum bug_id; ends with BUG_NONE */
};

const struct rule *rule(enum rule_id id);

/* Returns the rule with this name, or RULE_NONE. */
enum rule_id rule_by_name(const char *name);

/*
 * Returns the i-th known bug that breaks the rule, or BUG_NONE after the last: first the bugs in
 * the rule's row, then those that can break any rule (smaps omits a page, or counts one that no
 * longer exists).
 */
unsigned rule_bug(enum rule_id id, size_t i);

#endif
