// SPDX-License-Identifier: MIT
/* Two numbers that differ: what the judge of cases, the audit of programs and random programs find
 * alike. */
#ifndef RSSCK_DISCREPANCY_H
#define RSSCK_DISCREPANCY_H

#include <rssck/rule.h>

/*
 * One number that is not what a rule says. A counter that lags within its bound is a discrepancy
 * that does not fail.
 */
struct discrepancy {
	enum rule_id rule;
	enum metric_id id; /* METRIC_NONE: `metric` is no metric as a whole */
	char step[48];     /* the step after which it was seen */
	char metric[48];   /* name of the metric, or "Rss of [heap]" and the like */
	unsigned process;  /* 0 is the leader */
	int64_t counter;   /* what the metric said */
	int64_t precise;   /* what it should have said */
	int64_t bound;     /* how far off it may be, by the measured model; 0: not at all */
	char unit[16];     /* of the three numbers: "pages", "kB", "faults" ...; "": none */
	bool fails;
	char text[160]; /* the rule in words, where it was broken: "VmRSS = RssAnon + RssFile +
			   RssShmem" */
};

/* What differs, with a failing discrepancy of the rule's own words. The number is named as by
 * printf(3). */
void discrepancy_set(struct discrepancy *d, enum rule_id rule, const char *unit, int64_t seen,
		     int64_t expected, const char *number, ...)
	__attribute__((format(printf, 6, 7)));

/* Words of the place, in place of the rule's. */
void discrepancy_say(struct discrepancy *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* kB, for what has fractions of pages: Pss and the like. */
bool discrepancy_is_kb(const struct discrepancy *d);

/* True if the unit is pages; every other but kB is no size. */
bool discrepancy_is_pages(const struct discrepancy *d);

/* True if the same rule is broken by the same number, in whatever step and by whatever amount. */
bool discrepancy_is_same(const struct discrepancy *a, const struct discrepancy *b);

/*
 * True if it is one kind of finding: the same rule, broken by the same number. In what page or
 * mapping, and so the number's whole name, may be another.
 */
bool discrepancy_is_same_kind(const struct discrepancy *a, const struct discrepancy *b);

#endif
