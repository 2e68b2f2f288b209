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
#include <rssck/source.h>

/* Two numbers that differ, and after which step. */
struct finding {
	unsigned step; /* counted from 1; the program's length + 1: when all was closed */
	struct discrepancy d;
};

/* What a watcher is told after each step, of each process. */
struct watcher {
	void (*look)(void *data, unsigned step, unsigned process, const struct snapshot *s);
	/* The counters, before they are settled. */
	void (*glance)(void *data, unsigned step, unsigned process, const struct values *v);
	void (*did)(void *data, const struct act *a, const struct act_outcome *o);
	void *data;
};

enum played {
	PLAYED,       /* every number was as it must be */
	PLAY_FOUND,   /* one was not, at each of several looks */
	PLAY_TROUBLE, /* the workload could not be driven; ->why */
};

struct player {
	struct engine *e;
	const struct case_registration *worker;
	struct watcher watcher; /* .look NULL: there is none */
	bool *stop;             /* somebody wants it to end; or NULL */
	bool at_once;           /* what processes do one after the other they do together */
	unsigned threads;       /* of each process of this workload, which can act at once */
	struct session s;
	bool running;
	unsigned plays;         /* programs that this workload has run */
	unsigned channels_used; /* numbers of processes are used once in a workload's life */
	uint8_t channel[ACT_PROCESSES];
	struct ledger ledger;
	struct ledger_place place;
	struct settle_plan plan;
	struct snapshot baseline; /* before the first program */
	struct alone alone;       /* the same */
	struct ksm ksm;
	struct snapshot of[ACT_PROCESSES]; /* what each was found to be at the last stop */
	bool accepted[ACT_PROCESSES];      /* all of that was as it must be */
	unsigned acted;                    /* bits: processes that the last act was about */
	uint64_t words[ACT_REGION_PAGES];
	struct reached reached;
	uint64_t steps, looks, numbers; /* audited, taken, compared: since player_open() */
	uint64_t known[BUG_COUNT];      /* how often each was met */
	char why[256];
};

/* Returns 0, or -1 with p->why. */
int player_open(struct player *p, struct engine *e);
void player_close(struct player *p);

/* Run a program. `fresh`: in a workload that has run no other, and ends with it. */
enum played player_play(struct player *p, const struct program *program, bool fresh,
			struct finding *f);

/* End the workload; what the kernel says when its memory goes is a finding. */
bool player_rest(struct player *p, struct finding *f);

#endif
