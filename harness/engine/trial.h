// SPDX-License-Identifier: MIT
#ifndef RSSCK_RUN_TRIAL_H
#define RSSCK_RUN_TRIAL_H

#include "engine.h"
#include <rssck/trial.h>

/*
 * An observer sees each moment while the workload waits; the moment is the last of t->moments.
 * pid[i] is 0 if there is no process i. look() returns false to end the trial.
 */
struct observer {
	bool (*look)(const struct trial *t, const pid_t pid[WORKLOAD_PROCESSES], void *data);
	void *data;
};

/* Runs a case once with an observer. Always fills in *t. */
void trial_run_before(struct trial *t, const struct engine *e, const struct case_registration *c,
		      const int *cpus, unsigned nr_cpus, const struct observer *w);

/* Like trial_run_before(), on the last CPU, or on all CPUs for a case with CASE_ALL_CPUS. */
void trial_observe(struct trial *t, const struct engine *e, const struct case_registration *c,
		   const struct observer *w);

/* Runs a case once on those CPUs. Always fills in *t. */
void trial_run(struct trial *t, const struct engine *e, const struct case_registration *c,
	       const int *cpus, unsigned nr_cpus);

/*
 * Tries a case on those CPUs until its verdict is certain, and adds the last try to *r. If not
 * `first`, the try replaces the verdict in *r only if its own is worse.
 */
void tries_make(struct engine *e, const struct case_registration *c, const int *cpus,
		unsigned nr_cpus, struct result *r, bool first);

/*
 * Runs the case's tools on the leader, whose snapshot is in the moment. Reads the leader's files
 * before and after each tool. Returns TRIAL_DONE, also without tools or with STEP_NO_TOOLS;
 * TRIAL_SKIPPED if a tool cannot run here; TRIAL_ERROR if a tool failed, if the leader ended, or if
 * the numbers changed each time a tool ran. For TRIAL_SKIPPED and TRIAL_ERROR, `why` has a message.
 */
enum trial_end tools_look(const struct testcase *c, const struct host *h, struct moment *m,
			  char *why, size_t size);

#endif
