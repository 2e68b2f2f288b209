// SPDX-License-Identifier: MIT
/* Shared by the recording of staircases and of peaks: a workload that is driven page by page. */
#ifndef RSSCK_RECORDER_H
#define RSSCK_RECORDER_H

#include "engine/workload/session.h"
#include <rssck/source.h>

/* As in cases/counters/staircase.c. */
enum calibration_step {
	STEP_MAP,
	STEP_TOUCH,
	STEP_MOVE,
	STEP_OTHER,
	STEP_ZERO_FAULTS,
	STEP_AROUND,
	STEP_BALLAST,
	STEP_RESET_PEAK,
	STEP_DROP_BALLAST,
};

enum { RECORDED_COUNTERS = 16 };

/* Everything that is recorded of one staircase. */
struct recorder {
	struct engine *e;
	struct session s;
	struct reply reply;
	struct values values;             /* as last read */
	int64_t now[RECORDED_COUNTERS];   /* in pages, ascending; -1 if not printed */
	int64_t maxrss;                   /* as last reported, in pages; -1 if not recorded */
	int64_t *said[RECORDED_COUNTERS]; /* owned */
	size_t n, room;
	size_t most; /* number of touches after which a counter must have changed */
	bool draws;  /* record the staircase, with the page tables beside it */
	bool lacks;  /* this machine lacks something that the workload requested */
	struct text rollup;
};

/* The classes with which a counter is recorded: bits of ACCOUNT_BIT(). */
unsigned recorded_with(enum metric_id id);

/* Starts the workload with that many pages of a class, on the first and the last CPU. */
int recorder_start(struct recorder *r, enum account account, int64_t pages);

int recorder_ask(struct recorder *r, enum calibration_step step, int64_t argument);

/* Forces lagging counters to be exact, as every case does between its steps. */
int recorder_settle(struct recorder *r);

/* Reads the counters into r->values and r->now. */
int recorder_read(struct recorder *r);

/* The count of the page tables, in pages; -1 if they cannot be read. */
int64_t recorder_page_tables(struct recorder *r);

/* Measure the models of the counters of a class into r->e->models. Returns 0, or -1. */
int models_measure_class(struct recorder *r, enum account account);

/* Measures the model of VmHWM into r->e->models. */
int models_measure_peak(struct recorder *r);

#endif
