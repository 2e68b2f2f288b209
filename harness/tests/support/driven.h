// SPDX-License-Identifier: MIT
/* Real workloads that go wrong, driven by the engine under test. */
#ifndef RSSCK_DRIVEN_H
#define RSSCK_DRIVEN_H

#include "engine/engine.h"
#include "engine/trial.h"
#include "tests/support/child.h"

/* The steps of the misbehaving workload, in order. */
enum { DRIVEN_STEPS = 5, DRIVEN_CHILD_STEP = 3, DRIVEN_LIMIT_S = 10 };
extern const char *const driven_steps[DRIVEN_STEPS];

/* The observer's part of harness/tests/workload/misbehaving.c. */
extern const struct testcase driven_case;
extern const struct case_registration driven_registration;

/*
 * The shared state of the group's tests: *state is a struct engine that drives the misbehaving
 * workload.
 */
int driven_setup(void **state);
int driven_teardown(void **state);

/* A setup with measured models, for trials that are judged. */
int driven_setup_calibrated(void **state);

/*
 * Makes a pipe on which the workload can report: returns the end that it writes to, which survives
 * exec. driven_pipe_close() closes both ends.
 */
int driven_pipe(int *heard_from);
void driven_pipe_close(int tell_to, int heard_from);

/* Makes the workload misbehave at this step in this way; with NULL it does not misbehave. */
void driven_misbehave(const char *step, const char *how);

/* Runs the workload once. */
struct trial driven_trial(const struct engine *e);

unsigned open_descriptors(void);

#endif
