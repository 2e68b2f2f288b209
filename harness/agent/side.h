// SPDX-License-Identifier: MIT
/*
 * Many regions side by side in one process, each in a window of its own: what rssck atlas and
 * its worker share. The observer writes what each shall do next, asks for the step, and reads
 * what came of it. Laid out alike for 32 bits and for 64.
 */
#ifndef RSSCK_SIDE_H
#define RSSCK_SIDE_H

#include "act.h"

enum {
	SIDE_WINDOWS = 48,
	SIDE_TURN_ACTS = 5, /* that a region does in one round */
};

/* The steps of the case atlas/worker. */
enum side_step {
	SIDE_BEGIN, /* the argument is the number of the descriptor that holds a struct side */
	SIDE_ROUND, /* each region in turn does its acts */
	SIDE_EVENT, /* `event` happens, to all of them together */
	SIDE_CLEAR, /* all is unmapped, closed and reaped */
};

/* How an event comes about. */
enum side_event {
	SIDE_ACT,       /* by the act of window 0 */
	SIDE_FORK,      /* a child that does the turns, and stands still */
	SIDE_FORK_EXIT, /* the same, but it ends, and is reaped */
	SIDE_FORK_EXEC, /* it executes another program, which ends, and is reaped */
	SIDE_EACH,      /* each region does its turn */
	SIDE_THREADS,   /* two threads do the two acts of each turn at the same time */
	SIDE_PROCESSES, /* a child and its parent do; the child ends, and is reaped */
	SIDE_NEIGHBOUR, /* another process, which shares nothing with the worker, does the turns */
};

/* What one region does in a round. */
struct side_turn {
	uint32_t nr;
	uint8_t whole[SIDE_TURN_ACTS]; /* the act's range is all of the region, however long it is
					  now */
	struct act acts[SIDE_TURN_ACTS];
};

struct side {
	_Alignas(8) uint64_t arena; /* where window 0 is: the worker says it */
	uint64_t window;            /* bytes from one to the next */
	uint32_t nr;                /* windows in use */
	uint32_t at;         /* the window whose turn it is: it goes on as long as acts return */
	uint32_t rounds;     /* done: of a worker that does not return, where it was */
	uint32_t event;      /* enum side_event */
	int32_t child;       /* the process that stands still beside; 0: none */
	int32_t event_error; /* errno, of a neighbour's the first region's */
	uint32_t settles_cgroup; /* after a round: its memory.stat is exact then */
	uint32_t at_once;        /* two acts at the same time may be asked for: set at first */
	uint32_t arrived[2];     /* how often each of two has waited for the other */
	char cgroup[96];         /* the worker's own; "": it has none */
	struct side_turn turns[SIDE_WINDOWS];
	struct act_outcome
		outcomes[SIDE_WINDOWS]; /* the first error of a turn, and all that faulted */
};

#endif
