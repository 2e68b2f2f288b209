// SPDX-License-Identifier: MIT
/* The result of a case: the verdict, its discrepancies and its facts. */
#ifndef RSSCK_VERDICT_H
#define RSSCK_VERDICT_H

#include <rssck/curve.h>
#include <rssck/discrepancy.h>
#include <rssck/metric.h>
#include <rssck/missing.h>
#include <rssck/model.h>

enum verdict {
	VERDICT_PASS,
	VERDICT_FAIL,
	VERDICT_SKIP,  /* `reason` names what is missing */
	VERDICT_ERROR, /* rssck could not judge; `reason` says why */
	VERDICT_COUNT,
};

/* "pass", "fail", "skip", "error". */
const char *verdict_name(enum verdict v);

/* The `metric` of a discrepancy whose claim is in words, without numbers. */
#define CLAIM_IN_WORDS "claim"

struct fact {
	char name[64];  /* "zero_page.counted_in_rss" */
	char value[64]; /* "no" */
};

enum { FACTS_MAX = 32 };

/* Returns true if a fact's value is one of "yes|no". */
bool fact_value_is_among(const char *value, const char *values);

/* One run of a case; recorded if the case ran more than once on this CPU. */
struct
try {
	enum verdict verdict;
	int cpu;          /* the CPU on which the workload ran; -1: it could use all CPUs */
	char reason[240]; /* "" for a pass without remarks */
};

/* A case runs at most TRIES_MAX times on the first CPU, and as often on the last. */
enum { TRIES_MAX = 5, TRIES_KEPT = 2 * TRIES_MAX };

enum { REMARKS_MAX = 4, REMARK_SIZE = 240 };

struct testcase; /* include/rssck/case.h */

/* The result of one case, over all its tries. */
struct result {
	const struct testcase *c;
	char id[64];
	enum verdict verdict;
	char reason[320];       /* for a pass: what could not be checked on this machine, or "" */
	struct missing missing; /* for a skip; empty if an older rssck recorded it */
	struct fact facts[FACTS_MAX];
	size_t nr_facts;
	struct discrepancy *discrepancies; /* owned */
	size_t nr_discrepancies;
	struct try tries[TRIES_KEPT]; /* the tries on each CPU on which the case was tried again */
	size_t nr_tries;              /* 0: there was only one try on each CPU */
	char remarks[REMARKS_MAX][REMARK_SIZE]; /* seen during the run, but not caused by a case */
	size_t nr_remarks;
	size_t nr_checks;     /* how many numbers were compared */
	struct curve *curves; /* owned, until the run takes them */
	size_t nr_curves;
	int64_t duration_ms;
};

/* Everything that a run of rssck found; reports are made from it. */
struct results {
	char kernel_release[96], kernel_version[160], machine[32];
	long page_size;
	unsigned cpus;
	struct models models;
	bool saw_log;      /* the kernel log could be read, and was searched after each case */
	bool saw_pfns;     /* page frame numbers were visible */
	struct result *of; /* owned */
	size_t nr;
	struct curve *curves; /* owned: the calibration's staircase, and the curves of cases */
	size_t nr_curves;
	size_t count[VERDICT_COUNT];
	int64_t duration_ms;
	size_t nr_selected; /* number of selected cases; 0: not recorded */
	char ended[240];   /* a sentence with the reason if the run ended early; "" if it did not */
	char ended_in[64]; /* id of the case that was running when the run ended; "" if none was */
};

/* Returns true if not all tries had the final verdict, so the case was run again. */
bool result_retried(const struct result *r);

/* Returns how many results were retried. */
size_t results_retried(const struct results *r);

/*
 * Describes the tries in words, into buf: "passed, 2 of 3 tries; the first failed: ..."; "" if none
 * is recorded.
 */
const char *tries_words(const struct result *r, char *buf, size_t size);

/* Adds a sentence to the remarks, or drops it if there is no room. */
void result_remark(struct result *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

void result_free(struct result *r);
void results_free(struct results *r);

#endif
