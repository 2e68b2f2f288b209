// SPDX-License-Identifier: MIT
#ifndef RSSCK_RUN_TRIAL_H
#define RSSCK_RUN_TRIAL_H

#include <rssck/engine.h>
#include <rssck/trial.h>

/* Run a case once on those CPUs. Always fills in *t. */
void trial_run(struct trial *t, const struct engine *e, const struct case_registration *c,
	       const int *cpus, unsigned nr_cpus);

#endif
