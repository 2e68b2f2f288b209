// SPDX-License-Identifier: MIT
/* The trial: one run of a case, as observed. A plain value: judging it needs no kernel. */
#ifndef RSSCK_TRIAL_H
#define RSSCK_TRIAL_H

#include <rssck/host.h>
#include <rssck/model.h>
#include <rssck/snapshot.h>
#include <rssck/tool.h>
#include <rssck/workload.h>

struct testcase; /* <rssck/case.h> */

/*
 * What a tool printed about the leader, and what rssck read before and after. A metric that moved
 * in between is absent from `own`.
 */
struct tool_reading {
	const struct tool *tool;
	struct tool_values values;
	struct tool_facts own;
};

/* All numbers of the workload while it stands still after a step. */
struct moment {
	const char *name; /* the step's title; the first moment is "baseline", the last "read the
			   * numbers" */
	unsigned symbol;  /* the step's symbol; STEP_BASELINE for the first moment, STEP_CLOSED for
			   * the last */
	const struct step *step; /* NULL for the first and the last moment */
	bool skipped;            /* this step could not be done on this machine */
	char why_skipped[160];
	bool settled;                              /* lagging counters were forced exact */
	unsigned threads;                          /* number of threads of the leader */
	struct posting expected[2 * POSTINGS_MAX]; /* the postings of the step, and those that the
						    * workload added */
	size_t nr_expected;
	unsigned checked; /* how often the workload has called workload_checked() */
	struct snapshot *of[WORKLOAD_PROCESSES]; /* NULL: there was no such process */
	struct tool_reading *readings;           /* what the case's tools printed after a step;
						  * owned */
	size_t nr_readings;
};

struct reported_number {
	size_t moment;
	char name[32];
	int64_t value;
};

enum trial_end {
	TRIAL_DONE,
	TRIAL_SKIPPED, /* the workload reported that something is missing */
	TRIAL_FAILED,  /* the workload found the claim false */
	TRIAL_STOPPED, /* the observer ended it */
	TRIAL_ERROR,   /* the workload died, hung, or could not do its step */
};

struct trial {
	const struct testcase *c;
	const struct host *host;
	const struct models *models;
	struct moment *moments;
	size_t nr_moments;
	struct reported_number *reported;
	size_t nr_reported;
	pid_t leader;
	int64_t duration_ms;
	int64_t maxrss_kb; /* wait4(2)'s ru_maxrss of the leader */
	enum trial_end end;
	char reason[320];
	size_t reason_at; /* where the reason begins, after the step's title */
	char *wrong; /* while judge() runs: CASE_ERROR_SIZE bytes for the message if the case itself
		      * is wrong */
};

enum { CASE_ERROR_SIZE = 200 };

/*
 * The moment after the step with that symbol. If the case has no such step, that is an error of the
 * case: NULL.
 */
const struct moment *trial_moment(const struct trial *t, unsigned step);

/*
 * The snapshot of a process after that step; NULL: the step was skipped, or there was no such
 * process.
 */
const struct snapshot *trial_snapshot(const struct trial *t, unsigned step, unsigned process);

/* What should move in that step. */
struct postings moment_postings(const struct moment *m);

/*
 * A number that the workload reported in that step, -1 if the step was skipped. If the step has
 * reported no such number, that is an error of the case.
 */
int64_t trial_reported(const struct trial *t, unsigned step, const char *name);

/* The same for a number that a step may leave out: `otherwise` if it did. */
int64_t trial_reported_or(const struct trial *t, unsigned step, const char *name,
			  int64_t otherwise);

/* What a tool's column showed after that step, or "". */
const char *trial_shown(const struct trial *t, unsigned step, const char *tool, const char *column);

/* A metric of a process after that step: in its own unit, and in pages; -1 if it was not read. */
int64_t trial_value(const struct trial *t, unsigned step, unsigned process, enum metric_id id);
int64_t trial_pages(const struct trial *t, unsigned step, unsigned process, enum metric_id id);

/*
 * By how much a metric moved between two steps: in pages, or if it is not a size, in its own unit.
 */
int64_t trial_moved(const struct trial *t, unsigned from, unsigned to, unsigned process,
		    enum metric_id id);

/*
 * The mapping of a process after `step` that contains the address reported as `name` in step
 * `reported_in`.
 */
const struct mapping *trial_mapping(const struct trial *t, unsigned step, unsigned process,
				    unsigned reported_in, const char *name);

/* A number from that mapping's smaps, in pages; -1: there is no such mapping. */
int64_t trial_mapping_pages(const struct trial *t, unsigned step, unsigned process,
			    unsigned reported_in, const char *name, enum metric_id id);

void trial_free(struct trial *t);

/*
 * The size of a last-level page table: 8 bytes for each page that a huge page maps, or for fewer if
 * they would not fit in a page. A quarter of a kB on ppc64 with pages of 64 KiB, 2 kB on s390x,
 * otherwise a page.
 */
int64_t trial_table_bytes(const struct trial *t);

/* VmPTE in tables of that size; it is in kB, so small ones are off by up to the bound. */
int64_t trial_tables(const struct trial *t, unsigned step, unsigned process);
int64_t trial_tables_bound(const struct trial *t);

#endif
