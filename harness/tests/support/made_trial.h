// SPDX-License-Identifier: MIT
/*
 * Processes and trials that no kernel has run: a process is described by its mappings and their
 * pages, and every number of its snapshot is computed from that description, as the kernel does it
 * and without the judge's rules. So all files agree until a test changes a number.
 */
#ifndef RSSCK_MADE_TRIAL_H
#define RSSCK_MADE_TRIAL_H

#include "judge/judge.h"
#include "tests/support/test.h"
#include <rssck/judge.h>

enum { PAGE_KB = 4, PAGE_BYTES = PAGE_KB * 1024, GROUPS_MAX = 12 };

/*
 * A number of pages of a mapping in the same state. For an address account: only the mapping's
 * size.
 */
struct made_pages {
	enum account account;
	int64_t pages;
	unsigned attributes;
	unsigned sharers; /* number of processes that share the pages; 0 and 1 both mean one */
};

struct made_mapping {
	const char *name;
	const char *permissions; /* "rw-p" */
	const char *flags;       /* VmFlags */
	int64_t pages;           /* of address space */
	uint64_t inode;
	struct made_pages of[GROUPS_MAX]; /* groups of 0 pages are ignored */
};

/* The mappings of the process that most tests use; the first ones are the program's own. */
enum made_name {
	MADE_TEXT,
	MADE_DATA, /* file pages, some of them written: two classes in one mapping */
	MADE_HEAP,
	MADE_LIBRARY,
	MADE_STACK,
	MADE_VVAR,
	MADE_VDSO,
	MADE_GATE, /* [vsyscall]: printed, in no counter */
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

/* A process with every kind of mapping; and as it was before the case mapped anything. */
struct made_process made_process(void);
struct made_process made_baseline(void);

/* This many more (or, negative, fewer) pages of that kind; the same for address space. */
void made_put(struct made_process *p, enum made_name where, struct made_pages more);
void made_grow(struct made_process *p, enum made_name where, int64_t pages);

/* The content of its files; freed with made_snapshot_free(), or by its trial. */
struct snapshot *made_snapshot(const struct made_process *p);
void made_snapshot_free(struct snapshot *s);

/* One page, or the nearest value to it, in a metric's own unit. */
int64_t made_page(enum metric_id id);

/* The row of smaps_rollup that sums a row of smaps, or METRIC_NONE; and back. */
enum metric_id made_rollup_of(enum metric_id smaps);
enum metric_id made_smaps_of(enum metric_id rollup);

/* A trial without moments; one CPU, 2 CPUs' models, all counters exact. */
struct made_trial {
	struct trial t;
	struct testcase c;
	struct host host;
	struct models models;
};

struct made_trial *made_trial(void);

/* A trial of one moment, the baseline, of made_process(). */
struct made_trial *whole_process(void);
void made_trial_free(struct made_trial *m);
void made_trial_end(struct made_trial **m); /* for OWNED() */
void made_trial_models(struct made_trial *m, enum model_kind kind, unsigned batch);

/* One more moment; settled, of one thread. `step` NULL: the baseline, or the end of the trial. */
struct moment *made_moment(struct made_trial *m, const char *name, const struct step *step,
			   const struct made_process *p);

/* Another process at the last moment. */
void made_also(struct made_trial *m, unsigned process, const struct made_process *p);

/* The value of a metric at a moment, for a test to put wrong; the leader's. */
int64_t *made_value(struct made_trial *m, size_t moment, enum metric_id id);

/* A failing discrepancy by its rule and, unless NULL, by the beginning of its metric; or NULL. */
const struct discrepancy *made_find(const struct judgement *j, enum rule_id rule,
				    const char *metric);

/* Both numbers side by side, for a judge that should find nothing. */
void assert_nothing_found(const struct judgement *j);
void assert_found(const struct judgement *j, enum rule_id rule, const char *metric);

#endif
