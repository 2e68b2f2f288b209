// SPDX-License-Identifier: MIT
/*
 * Processes and trials that no kernel has run. A process is described by its mappings and their
 * pages. Every number of its snapshot is computed from this description, as the kernel computes it
 * and without the judge's rules. All files agree until a test changes a number.
 */
#ifndef RSSCK_MADE_TRIAL_H
#define RSSCK_MADE_TRIAL_H

#include "judge/judge.h"
#include "tests/support/test.h"
#include <rssck/judge.h>

enum { PAGE_KB = 4, PAGE_BYTES = PAGE_KB * 1024, GROUPS_MAX = 12 };

/*
 * Pages of a mapping that are in the same state. If the account is one of address space, only the
 * mapping's size counts.
 */
struct made_pages {
	enum account account;
	int64_t pages;
	unsigned attributes;
	unsigned sharers; /* number of processes that share the pages; 0 and 1 both mean one */
};

struct made_mapping {
	const char *name;
	const char *permissions; /* for example "rw-p" */
	const char *flags;       /* VmFlags */
	int64_t pages;           /* of address space */
	uint64_t inode;
	struct made_pages of[GROUPS_MAX]; /* groups of 0 pages are ignored */
};

/* The mappings of the process that most tests use; the first ones belong to the program itself. */
enum made_name {
	MADE_TEXT,
	MADE_DATA, /* file pages, some of them written: two classes in one mapping */
	MADE_HEAP,
	MADE_LIBRARY,
	MADE_STACK,
	MADE_VVAR,
	MADE_VDSO,
	MADE_GATE, /* [vsyscall]: it is printed, but in no counter */
	MADE_BACKGROUND,
	MADE_ANON = MADE_BACKGROUND,
	MADE_FILE,
	MADE_SHMEM,
	MADE_LOCKED,
	MADE_HUGE,
	MADE_HUGE_SHMEM,
	MADE_HUGE_FILE,
	MADE_HUGETLB,
	MADE_RESERVED,
	MADE_COUNT,
};

struct made_process {
	struct made_mapping maps[MADE_COUNT];
	size_t nr;
};

/*
 * made_process() returns a process with all mappings of enum made_name. made_baseline() returns the
 * same process before the case maps anything.
 */
struct made_process made_process(void);
struct made_process made_baseline(void);

/*
 * Adds this many pages of this kind; a negative number removes pages. made_grow() does the same for
 * address space.
 */
void made_put(struct made_process *p, enum made_name where, struct made_pages more);
void made_grow(struct made_process *p, enum made_name where, int64_t pages);

/*
 * Returns the content of the process's files. made_snapshot_free(), or the end of its trial, frees
 * it.
 */
struct snapshot *made_snapshot(const struct made_process *p);
void made_snapshot_free(struct snapshot *s);

/* Returns one page, or the nearest value to it, in the metric's own unit. */
int64_t made_page(enum metric_id id);

/*
 * Return the metric of smaps_rollup that sums a metric of smaps, and the reverse; METRIC_NONE if
 * there is none.
 */
enum metric_id made_rollup_of(enum metric_id smaps);
enum metric_id made_smaps_of(enum metric_id rollup);

/* A trial without moments, on a host with 2 CPUs. All counters are exact. */
struct made_trial {
	struct trial t;
	struct testcase c;
	struct host host;
	struct models models;
};

struct made_trial *made_trial(void);

/* Returns a trial whose only moment, the baseline, is a snapshot of made_process(). */
struct made_trial *whole_process(void);

/* The fixture of the tests that judge whole_process(), which whole_again() makes anew. */
extern struct made_trial *whole;
int whole_begin(void **state);
int whole_end(void **state);
void whole_again(void);
int64_t *whole_value(enum metric_id id);

/* Returns true if the judge finds that whole_process() breaks this rule; see made_find(). */
bool whole_breaks(enum rule_id rule, const char *metric);
void assert_whole_agrees(void);

void made_trial_free(struct made_trial *m);
void made_trial_end(struct made_trial **m); /* for OWNED() */
void made_trial_models(struct made_trial *m, enum model_kind kind, unsigned batch);

/*
 * Adds a moment, settled and of one thread. `step` is NULL for the baseline and for the end of the
 * trial.
 */
struct moment *made_moment(struct made_trial *m, const char *name, const struct step *step,
			   const struct made_process *p);

/* Adds another process to the last moment. */
void made_also(struct made_trial *m, unsigned process, const struct made_process *p);

/* Returns the leader's value of a metric at a moment, which a test may make wrong. */
int64_t *made_value(struct made_trial *m, size_t moment, enum metric_id id);

/*
 * Returns a failing discrepancy of this rule, whose metric begins with `metric` unless that is
 * NULL; or NULL.
 */
const struct discrepancy *made_find(const struct judgement *j, enum rule_id rule,
				    const char *metric);

/*
 * Fail the test, and print the discrepancies, if the judge found any failure, or if it did not find
 * this one.
 */
void assert_nothing_found(const struct judgement *j);
void assert_found(const struct judgement *j, enum rule_id rule, const char *metric);

#endif
