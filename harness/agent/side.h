// SPDX-License-Identifier: MIT
/*
 * Many regions side by side in one process, each in a window of its own: what rssck atlas and
 * its worker share. The observer writes what each region does next, requests the step, and
 * reads the outcomes. The layout is the same for 32 and 64 bits.
 */
#ifndef RSSCK_SIDE_H
#define RSSCK_SIDE_H

#include "act.h"

enum {
	SIDE_WINDOWS = 48,
	SIDE_TURN_ACTS = 5, /* the most acts that a region does in one round */
};

/* The steps of the case atlas/worker. */
enum side_step {
	SIDE_BEGIN, /* the argument is the number of the descriptor that holds a struct side */
	SIDE_ROUND, /* each region in turn does its acts */
	SIDE_EVENT, /* `event` happens to all regions together */
	SIDE_CLEAR, /* everything is unmapped, closed and reaped */
};

/* How an event is made. */
enum side_event {
	SIDE_ACT,       /* window 0 runs the act */
	SIDE_FORK,      /* forks a child that runs the acts of all turns and stands still */
	SIDE_FORK_EXIT, /* the same, but the child ends and is reaped */
	SIDE_FORK_EXEC, /* the child executes another program, which ends and is reaped */
	SIDE_EACH,      /* each region runs the acts of its turn */
	SIDE_THREADS,   /* two threads run the two acts of each turn at the same time */
	SIDE_PROCESSES, /* a child and its parent run them at the same time; the child ends and is
			 * reaped */
	SIDE_NEIGHBOUR, /* another process, which shares no memory with the worker, runs the acts */
};

/* The acts of one region in a round. */
struct side_turn {
	uint32_t nr;
	uint8_t whole[SIDE_TURN_ACTS]; /* the act's range is the whole region, whatever its current
					* length */
	struct act acts[SIDE_TURN_ACTS];
};

struct side {
	_Alignas(8) uint64_t arena; /* address of window 0, set by the worker */
	uint64_t window;     /* bytes from the start of one window to the start of the next */
	uint32_t nr;         /* windows in use */
	uint32_t at;         /* the window whose turn it is; it advances as long as acts return */
	uint32_t rounds;     /* rounds done so far: shows where a worker that does not return has
			      * stopped */
	uint32_t event;      /* enum side_event */
	int32_t child;       /* the process that stands still beside the worker; 0: none */
	int32_t event_error; /* errno; of a neighbour: that of its first region */
	uint32_t settles_cgroup; /* after a round, settle the cgroup's memory.stat */
	uint32_t at_once;    /* set at the start: rounds may request two acts at the same time */
	uint32_t arrived[2]; /* how often each of the two processes or threads has reached the point
				where it waits for the other */
	char cgroup[96];     /* the worker's own cgroup; "": it has none */
	struct side_turn turns[SIDE_WINDOWS];
	struct act_outcome outcomes[SIDE_WINDOWS]; /* of each turn: the first error, and the sum of
						      all faults */
};

#endif
