// SPDX-License-Identifier: MIT
/* A trial: one run of a case, as observed. It is a plain value, so judging it needs no kernel. */
#ifndef RSSCK_TRIAL_H
#define RSSCK_TRIAL_H

#include <rssck/host.h>
#include <rssck/model.h>
#include <rssck/snapshot.h>
#include <rssck/tool.h>
#include <rssck/workload.h>

struct testcase; /* <rssck/case.h> */

/*
 * What a tool printed about the leader, and what rssck itself read before and after. Metrics that
 * moved in between are absent from `own`.
 */
struct tool_reading {
	const struct tool *tool;
	struct tool_values values;
	struct tool_facts own;
};

/* The numbers of all processes of the workload after a step, while they wait. */
struct moment {
	const char *name; /* the step's title, "baseline" or "read the numbers" */
	unsigned symbol;  /* the step's symbol, STEP_NUMBERED + i, STEP_BASELINE or STEP_CLOSED */
	const struct step *step; /* NULL for the first and the last moment */
	bool skipped;            /* this step is not possible on this machine */
	char why_skipped[160];
	bool settled;                              /* the numbers were read after settling */
	unsigned threads;                          /* of the leader */
	struct posting expected[2 * POSTINGS_MAX]; /* of the step, and of workload_expect() */
	size_t nr_expected;
	unsigned checked;                        /* how often the step called workload_checked() */
	struct snapshot *of[WORKLOAD_PROCESSES]; /* NULL for a process that did not exist */
	struct tool_reading *readings; /* what the case's tools printed after the step; owned */
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
	bool final; /* the case failed, and must not be tried again (workload_fail_once()) */
	char reason[320];
	size_t reason_at; /* offset in `reason` of the text after the step's title */
	char *wrong; /* while judge() runs: a buffer of CASE_ERROR_SIZE bytes for an error in the
			case itself */
};

enum { CASE_ERROR_SIZE = 200 };

/*
 * Returns the moment after the step with this symbol. If the case has no such step, returns NULL,
 * and the case ends with an error.
 */
const struct moment *trial_moment(const struct trial *t, unsigned step);

/*
 * Returns the snapshot of a process after the step; NULL if the case has no such step, the step was
 * skipped, or the process did not exist.
 */
const struct snapshot *trial_snapshot(const struct trial *t, unsigned step, unsigned process);

struct postings moment_postings(const struct moment *m);

/*
 * Returns the number that the workload reported in the step; -1 if the step was skipped. If the
 * step ran and did not report the number, returns -1, and the case ends with an error.
 */
int64_t trial_reported(const struct trial *t, unsigned step, const char *name);

/* Like trial_reported(), but returns `otherwise` if the number was not reported. */
int64_t trial_reported_or(const struct trial *t, unsigned step, const char *name,
			  int64_t otherwise);

/* Returns the number that workload_report_of() reported. */
int64_t trial_reported_of(const struct trial *t, unsigned step, const char *when, const char *name);

/* Returns what a tool's column showed after the step; "" if nothing. */
const char *trial_shown(const struct trial *t, unsigned step, const char *tool, const char *column);

/*
 * Return a metric of a process after the step; -1 if it was not read. trial_value() returns it in
 * its own unit, trial_pages() in pages.
 */
int64_t trial_value(const struct trial *t, unsigned step, unsigned process, enum metric_id id);
int64_t trial_pages(const struct trial *t, unsigned step, unsigned process, enum metric_id id);

/*
 * Returns by how much a metric moved between two steps, in pages; in its own unit if it is not a
 * size.
 */
int64_t trial_moved(const struct trial *t, unsigned from, unsigned to, unsigned process,
		    enum metric_id id);

/*
 * Returns the mapping of a process after `step` that contains the address that step `reported_in`
 * reported as `name`; NULL if there is none.
 */
const struct mapping *trial_mapping(const struct trial *t, unsigned step, unsigned process,
				    unsigned reported_in, const char *name);

/*
 * Returns a size from smaps of the mapping that trial_mapping() returns, in pages; -1 if there is
 * none.
 */
int64_t trial_mapping_pages(const struct trial *t, unsigned step, unsigned process,
			    unsigned reported_in, const char *name, enum metric_id id);

/* Returns how many pages of that mapping, in the leader, are soft-dirty; -1 if there is none. */
int64_t trial_soft_dirty(const struct trial *t, unsigned step, unsigned reported_in,
			 const char *name);

void trial_free(struct trial *t);

/*
 * Returns the size of a last-level page table in bytes: 8 bytes for each page of a huge page, but
 * at most one page. That is 256 bytes on ppc64 with pages of 64 KiB, 2 kB on s390x, and one page on
 * x86 and arm64.
 */
int64_t trial_table_bytes(const struct trial *t);

/*
 * Returns VmPTE as a number of tables of that size. VmPTE is in kB, so the number may be off by up
 * to trial_tables_bound().
 */
int64_t trial_tables(const struct trial *t, unsigned step, unsigned process);
int64_t trial_tables_bound(const struct trial *t);

#endif
