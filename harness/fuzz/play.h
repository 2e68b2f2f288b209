// SPDX-License-Identifier: MIT
/* Runs programs in a workload, and audits its processes after each step. */
#ifndef RSSCK_FUZZ_PLAY_H
#define RSSCK_FUZZ_PLAY_H

#include "alone.h"
#include "engine/workload/session.h"
#include "engine/workload/settle_plan.h"
#include "known.h"
#include "ksm.h"
#include "ledger.h"
#include "program.h"
#include "reached.h"
#include <rssck/bug_id.h>
#include <rssck/source.h>

/* Two numbers that differ, and the step after which they differ. */
struct finding {
	unsigned step; /* counted from 1; the program's length + 1 means: after everything was
			* unmapped */
	struct discrepancy d;
};

/*
 * did() is called after each operation that runs alone. The others are called at each stop for each
 * process.
 */
struct watcher {
	void (*look)(void *data, unsigned step, unsigned process, const struct snapshot *s);
	/* Gets the counters before they are settled. */
	void (*look_unsettled)(void *data, unsigned step, unsigned process, const struct values *v);
	void (*did)(void *data, const struct act *a, const struct act_outcome *o);
	void *data;
};

enum played {
	PLAYED,       /* no number was wrong */
	PLAY_FOUND,   /* a number was wrong, or the kernel logged a complaint */
	PLAY_TROUBLE, /* the workload could not be run; see ->why */
};

struct player {
	struct engine *e;
	const struct case_registration *worker;
	struct watcher watcher; /* .look is NULL if there is no watcher */
	bool *stop;             /* set when the run should stop; or NULL */
	bool at_once;           /* run operations of different processes concurrently */
	unsigned threads;       /* threads of each process that run operations concurrently */
	struct session s;
	bool running;
	unsigned plays;         /* programs that this workload has run so far */
	unsigned channels_used; /* given out so far; a workload never reuses a channel */
	uint8_t channel[ACT_PROCESSES];
	struct ledger ledger;
	struct ledger_place place;
	struct settle_plan plan;
	struct snapshot baseline; /* the snapshot before the first program */
	struct alone alone;       /* the machine-wide numbers before the first program */
	int64_t may_stay_charged; /* pages that Committed_AS may keep by a known bug when everything
				   * is unmapped */
	struct ksm ksm;
	struct snapshot of[ACT_PROCESSES]; /* each process's snapshot at the last stop */
	bool accepted[ACT_PROCESSES];      /* all numbers of the process were right at the last
					    * stop */
	unsigned acted;                    /* bits of the processes that the last operation
					    * concerned */
	uint64_t words[ACT_REGION_PAGES];
	struct reached reached;
	uint64_t steps, looks, numbers; /* steps, snapshots and comparisons since player_open() */
	uint64_t known[BUG_COUNT];      /* how often each bug was met */
	char why[256];
};

/* Initialises *p. Always returns 0. */
int player_open(struct player *p, struct engine *e);
void player_close(struct player *p);

/* Runs a program. If `fresh`, it gets a new workload, which ends with the program. */
enum played player_play(struct player *p, const struct program *program, bool fresh,
			struct finding *f);

/*
 * Ends the workload. Returns true and sets *f if the kernel has complained about the workload's
 * memory in its log.
 */
bool player_rest(struct player *p, struct finding *f);

#endif
