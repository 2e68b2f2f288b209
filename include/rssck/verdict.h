// SPDX-License-Identifier: MIT
/* The outcome of a case: the verdict, what was found, and the facts. */
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

/* The `metric` of a claim in words, which holds or does not, without numbers. */
#define CLAIM_IN_WORDS "claim"

struct fact {
	char name[64];  /* "zero_page.counted_in_rss" */
	char value[64]; /* "no" */
};

enum { FACTS_MAX = 32 };

/* True if a fact's value is one of "yes|no". */
bool fact_value_is_among(const char *value, const char *values);

/* One run of a case. Kept if one run did not decide the verdict. */
struct
try {
	enum verdict verdict;
	int cpu;          /* the CPU that the workload ran on; -1: it was allowed to use all */
	char reason[240]; /* "" for a pass without remarks */
};

/* At most TRIES_MAX tries on the first CPU, and as many on the last. */
enum { TRIES_MAX = 5, TRIES_KEPT = 2 * TRIES_MAX };

enum { REMARKS_MAX = 4, REMARK_SIZE = 240 };

struct testcase; /* include/rssck/case.h */

/* The outcome of one case, over all of its runs. */
struct result {
	const struct testcase *c;
	char id[64];
	enum verdict verdict;
	char reason[320];       /* for a pass: what could not be checked here, or empty */
	struct missing missing; /* for a skip; empty: recorded by an older rssck */
	struct fact facts[FACTS_MAX];
	size_t nr_facts;
	struct discrepancy *discrepancies; /* owned */
	size_t nr_discrepancies;
	struct try tries[TRIES_KEPT];           /* all tries in order, if there was more than one */
	size_t nr_tries;                        /* 0: the first try was enough */
	char remarks[REMARKS_MAX][REMARK_SIZE]; /* seen during the run, but not caused by a case */
	size_t nr_remarks;
	size_t nr_checks;     /* numbers compared */
	struct curve *curves; /* owned, until the run takes them */
	size_t nr_curves;
	int64_t duration_ms;
};

/* Everything that a run of rssck found: reports are made from it. */
struct results {
	char kernel_release[96], kernel_version[160], machine[32];
	long page_size;
	unsigned cpus;
	struct models models;
	bool saw_log;      /* the kernel log could be read and was searched after each case */
	bool saw_pfns;     /* page frames could be seen */
	struct result *of; /* owned */
	size_t nr;
	struct curve *curves; /* owned: the calibration's staircase, and the cases' curves */
	size_t nr_curves;
	size_t count[VERDICT_COUNT];
	int64_t duration_ms;
	size_t nr_selected; /* how many cases were selected; 0: not recorded */
	char ended[240];    /* why the run ended early, as a sentence; "": it did not */
	char ended_in[64];  /* the id of the case that was running then; "": none */
};

/* True if the tries did not all have this verdict, so that the case was run again. */
bool result_retried(const struct result *r);

/* How many results were retried. */
size_t results_retried(const struct results *r);

/*
 * The tries in words, into buf: "passed, 2 of 3 tries; the first failed: ...", or "" if there was
 * one.
 */
const char *tries_words(const struct result *r, char *buf, size_t size);

/* Adds a sentence to the remarks; dropped if there is no room. */
void result_remark(struct result *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

void result_free(struct result *r);
void results_free(struct results *r);

#endif
