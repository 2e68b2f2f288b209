// SPDX-License-Identifier: MIT
/* rssck fuzz --jobs: several drivers, each with its own workload and its own share of the CPUs. */
#ifndef RSSCK_CMD_FUZZ_JOBS_H
#define RSSCK_CMD_FUZZ_JOBS_H

#include "fuzz.h"
#include "fuzz/known.h"
#include "fuzz/reached.h"

/* Counts of one job, or of all. */
struct totals {
	uint64_t programs, findings, unconfirmed, troubles;
	uint64_t steps, numbers; /* audited, compared */
	uint64_t next;           /* the first seed that was skipped; 0: none was */
	uint64_t known[BUG_COUNT];
	struct reached reached;
};

/* Shared by all jobs. */
struct jobs {
	bool stop;      /* Ctrl-C */
	uint64_t found; /* number of findings so far, used to number them */
	struct totals of[JOBS_MAX];
};

/* Returns zeroed memory that children share. */
struct jobs *jobs_new(void);
void jobs_free(struct jobs *j);

/* Adds up the counts of the first `nr` jobs. */
void jobs_sum(const struct jobs *j, unsigned nr, struct totals *sum);

/*
 * Runs `work` in `nr` children, each with its own share of the CPUs, and waits for all of
 * them, calling waiting() meanwhile. Returns the first exit status that is not EXIT_HOLDS.
 */
int jobs_run(unsigned nr, int (*work)(void *data, unsigned job), void (*waiting)(void *data),
	     void *data);

#endif
