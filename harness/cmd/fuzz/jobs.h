// SPDX-License-Identifier: MIT
/*
 * The jobs of rssck fuzz and rssck atlas: several processes, each with its own workload and, if
 * there are enough, its own CPUs. The counts are those of rssck fuzz.
 */
#ifndef RSSCK_CMD_FUZZ_JOBS_H
#define RSSCK_CMD_FUZZ_JOBS_H

#include "fuzz.h"
#include "fuzz/reached.h"
#include <rssck/bug_id.h>

/* The counts of one job, or the sums over all jobs. */
struct totals {
	uint64_t programs, findings, unconfirmed, troubles;
	uint64_t steps, numbers; /* steps audited, numbers compared */
	uint64_t next;           /* the first seed that was not begun; 0: all were begun */
	uint64_t known[BUG_COUNT];
	struct reached reached;
};

/* Memory that all jobs share. */
struct jobs {
	bool stop;      /* SIGINT (Ctrl-C) or SIGTERM has arrived */
	uint64_t found; /* number of findings so far, which gives each finding its number */
	struct totals of[JOBS_MAX];
};

/* Returns zeroed memory that children share. */
struct jobs *jobs_new(void);
void jobs_free(struct jobs *j);

/* Adds up the counts of the first `nr` jobs. */
void jobs_sum(const struct jobs *j, unsigned nr, struct totals *sum);

/*
 * Runs `work` in `nr` children, each with its own CPUs if there are enough, and waits for all of
 * them. Calls waiting() meanwhile. Returns the first exit status other than EXIT_HOLDS.
 */
int jobs_run(unsigned nr, int (*work)(void *data, unsigned job), void (*waiting)(void *data),
	     void *data);

#endif
