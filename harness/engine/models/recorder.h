// SPDX-License-Identifier: MIT
/* Drives a workload page by page, to record staircases and peaks. */
#ifndef RSSCK_RECORDER_H
#define RSSCK_RECORDER_H

#include "engine/workload/session.h"
#include <rssck/source.h>

/* The steps of cases/counters/staircase.c, in that order. */
enum calibration_step {
	STEP_MAP,
	STEP_TOUCH,
	STEP_MOVE,
	STEP_OTHER,
	STEP_FAILING_FAULTS,
	STEP_AROUND,
	STEP_BALLAST,
	STEP_RESET_PEAK,
	STEP_DROP_BALLAST,
};

enum { RECORDED_COUNTERS = 16 };

/* The state of a measurement: a staircase, or a peak. */
struct recorder {
	struct engine *e;
	struct session s;
	struct reply reply;
	struct values values;             /* as last read */
	int64_t now[RECORDED_COUNTERS];   /* the counters in pages; for VmSwap, the pages that were
					   * read back; -1 if not printed or not recorded */
	int64_t maxrss;                   /* as last reported, in pages; -1 if not recorded */
	int64_t *said[RECORDED_COUNTERS]; /* said[i][k]: now[i] after touch k; owned */
	size_t n, room;
	size_t most; /* number of touches after which every counter must have changed */
	bool draws;  /* record a curve, with the page tables' number */
	bool lacks;  /* this machine lacks something that the workload needs */
	struct text rollup;
};

/* Returns the classes with which a counter is recorded, as bits of ACCOUNT_BIT(). */
unsigned recorded_with(enum metric_id id);

/* Starts the workload on the first and the last CPU, with room for that many pages of the class. */
int recorder_start(struct recorder *r, enum account account, int64_t pages);

int recorder_ask(struct recorder *r, enum calibration_step step, int64_t argument);

/*
 * Tries to make lagging counters exact, as the engine does after a step. Returns 0, even if they
 * still lag, or -1 with ->s.why.
 */
int recorder_settle(struct recorder *r);

/* Reads the counters into r->values and r->now. */
int recorder_read(struct recorder *r);

/* Returns the number of resident pages in the page tables, or -1 if it cannot be read. */
int64_t recorder_page_tables(struct recorder *r);

/* Measures the models of a class's counters into r->e->models. Returns 0, or -1. */
int models_measure_class(struct recorder *r, enum account account);

/* Measures the model of VmHWM into r->e->models. */
int models_measure_peak(struct recorder *r);

#endif
