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

const char *verdict_name(enum verdict v);

/* `metric` of a discrepancy whose claim has no numbers, only words. */
#define CLAIM_IN_WORDS "claim"

struct fact {
	char name[64];  /* "zero_page.counted_in_rss" */
	char value[64]; /* "no" */
};

enum { FACTS_MAX = 32 };

/* Returns true if the value is one of `values`, such as "yes|no". */
bool fact_value_is_among(const char *value, const char *values);

/* One run of a case. Runs are recorded if the case ran more than once on a CPU. */
struct
try {
	enum verdict verdict;
	int cpu;          /* CPU on which the workload ran; -1 if it could use all */
	char reason[240]; /* "" for a pass without remarks */
};

/* A case runs at most TRIES_MAX times on the first CPU, and as often on the last one. */
enum { TRIES_MAX = 5, TRIES_KEPT = 2 * TRIES_MAX };

enum { REMARKS_MAX = 4, REMARK_SIZE = 240 };

struct testcase; /* include/rssck/case.h */

/* The result of one case, over all its tries. */
struct result {
	const struct testcase *c;
	char id[64];
	enum verdict verdict;
	char reason[320];       /* for a pass: what could not be checked here, or "" */
	struct missing missing; /* for a skip; empty if recorded by an older rssck */
	struct fact facts[FACTS_MAX];
	size_t nr_facts;
	struct discrepancy *discrepancies; /* owned */
	size_t nr_discrepancies;
	struct try tries[TRIES_KEPT]; /* the runs on CPUs on which the case ran more than once */
	size_t nr_tries;              /* 0 if the case ran only once on each CPU */
	char remarks[REMARKS_MAX][REMARK_SIZE]; /* seen during the run, not caused by the case */
	size_t nr_remarks;
	size_t nr_checks;     /* number of comparisons */
	struct curve *curves; /* owned until the results take them */
	size_t nr_curves;
	int64_t duration_ms;
};

/* All that a run of rssck found. Reports are made from it. */
struct results {
	char kernel_release[96], kernel_version[160], machine[32];
	long page_size;
	unsigned cpus;
	struct models models;
	bool saw_log;      /* the kernel log was readable, and was searched after each case */
	bool saw_pfns;     /* PFNs were visible */
	struct result *of; /* owned */
	size_t nr;
	struct curve *curves; /* owned: the calibration's staircase, and the curves of cases */
	size_t nr_curves;
	size_t count[VERDICT_COUNT];
	int64_t duration_ms;
	size_t nr_selected; /* number of selected cases; 0 if not recorded */
	char ended[240];    /* why the run ended early, a sentence; "" if it did not */
	char ended_in[64];  /* id of the case during which the run ended, or "" */
};

/* Returns true if a recorded try has another verdict than the result. */
bool result_retried(const struct result *r);

size_t results_retried(const struct results *r);

/*
 * Writes the tries in words into buf: "passed, 2 of 3 tries; the first failed: ..."; "" if none is
 * recorded. Returns buf.
 */
const char *tries_words(const struct result *r, char *buf, size_t size);

/* Adds a remark, a sentence; drops it if there is no room. */
void result_remark(struct result *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A failure or an error. */
static inline bool result_is_bad(const struct result *r)
{
	return r->verdict == VERDICT_FAIL || r->verdict == VERDICT_ERROR;
}

void result_free(struct result *r);
void results_free(struct results *r);

#endif
