// SPDX-License-Identifier: MIT
/* Discrepancies: the judge of cases, the audit of programs and random programs report them. */
#ifndef RSSCK_DISCREPANCY_H
#define RSSCK_DISCREPANCY_H

#include <rssck/rule.h>

/*
 * A number that differs from what a rule requires. If it differs by at most its bound, the case
 * does not fail.
 */
struct discrepancy {
	enum rule_id rule;
	enum metric_id id; /* METRIC_NONE if `metric` names anything but one metric */
	char step[48];     /* the step after which the number was read */
	char metric[48];   /* name of the metric, or "Rss of [heap]" and the like */
	unsigned process;  /* 0 is the leader */
	int64_t counter;   /* the metric's value */
	int64_t precise;   /* the value that the rule requires */
	int64_t bound;     /* the largest difference allowed; -1 if the model is unknown */
	char unit[16];     /* of counter, precise and bound: "pages", "kB", "faults"; or "" */
	bool fails;
	char text[160]; /* the wording of the rule, such as "VmRSS <= VmHWM" */
};

/*
 * Fills in a failing discrepancy with the rule's wording. `number` is a printf(3) format for the
 * number's name.
 */
void discrepancy_set(struct discrepancy *d, enum rule_id rule, const char *unit, int64_t seen,
		     int64_t expected, const char *number, ...)
	__attribute__((format(printf, 6, 7)));

/* Replaces the rule's wording. */
void discrepancy_describe(struct discrepancy *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns true if the unit is kB, the unit of Pss and of other sizes with fractions of pages. */
bool discrepancy_is_kb(const struct discrepancy *d);

/* Returns true if the unit is pages. */
bool discrepancy_is_pages(const struct discrepancy *d);

/*
 * Returns true if the same number breaks the same rule with the same wording. Step, process and
 * amount may differ.
 */
bool discrepancy_is_same(const struct discrepancy *a, const struct discrepancy *b);

/*
 * Returns true if the same kind of number breaks the same rule. Its page or mapping may differ, and
 * so its full name.
 */
bool discrepancy_is_same_kind(const struct discrepancy *a, const struct discrepancy *b);

#endif
