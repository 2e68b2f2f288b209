// SPDX-License-Identifier: MIT
/*
 * Two numbers that differ. The judge of cases, the audit of programs and random programs all use
 * this type.
 */
#ifndef RSSCK_DISCREPANCY_H
#define RSSCK_DISCREPANCY_H

#include <rssck/rule.h>

/*
 * One number that differs from what a rule requires. A counter that lags within its bound is a
 * discrepancy that does not fail.
 */
struct discrepancy {
	enum rule_id rule;
	enum metric_id id; /* METRIC_NONE: `metric` names something other than a whole metric */
	char step[48];     /* the step after which it was seen */
	char metric[48];   /* name of the metric, or "Rss of [heap]" and the like */
	unsigned process;  /* 0 is the leader */
	int64_t counter;   /* the metric's value */
	int64_t precise;   /* the value that it should have */
	int64_t bound;     /* the largest difference that the measured model allows; 0: none */
	char unit[16];     /* unit of the three numbers: "pages", "kB", "faults" ...; "": none */
	bool fails;
	char text[160]; /* the rule in words, as they read when it was broken: "VmRSS = RssAnon +
			 * RssFile + RssShmem" */
};

/*
 * Fills in a failing discrepancy with the rule's own words. `number` is a printf(3) format; it
 * and its arguments give the number's name.
 */
void discrepancy_set(struct discrepancy *d, enum rule_id rule, const char *unit, int64_t seen,
		     int64_t expected, const char *number, ...)
	__attribute__((format(printf, 6, 7)));

/* Replaces the rule's words by the caller's. */
void discrepancy_describe(struct discrepancy *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* True if the unit is kB: for Pss and other sizes with fractions of pages. */
bool discrepancy_is_kb(const struct discrepancy *d);

/* True if the unit is pages; units other than pages and kB are not sizes. */
bool discrepancy_is_pages(const struct discrepancy *d);

/* True if the same rule is broken by the same number, in any step and by any amount. */
bool discrepancy_is_same(const struct discrepancy *a, const struct discrepancy *b);

/*
 * True if two findings are of one kind: the same rule, broken by the same number. They may differ
 * in the page or mapping, and so in the number's full name.
 */
bool discrepancy_is_same_kind(const struct discrepancy *a, const struct discrepancy *b);

#endif
