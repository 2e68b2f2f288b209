// SPDX-License-Identifier: MIT
/*
 * Memory shared by rssck atlas and its worker. The worker has many regions, each in a window of its
 * own. rssck writes the next acts of each region here, requests the step, and reads the outcomes.
 * The layout is the same for 32 and 64 bits.
 */
#ifndef RSSCK_SIDE_H
#define RSSCK_SIDE_H

#include "act.h"

enum {
	SIDE_WINDOWS = 48,
	SIDE_TURN_ACTS = 5, /* maximum number of acts of a region in one round */
};

/* The steps of the case atlas/worker. */
enum side_step {
	SIDE_BEGIN, /* the argument is the descriptor of the file with the struct side */
	SIDE_ROUND, /* runs the acts of each region, one region after another */
	SIDE_EVENT, /* performs `event` */
	SIDE_CLEAR, /* undoes everything: memory, files, child */
};

/* Which process runs which acts. */
enum side_event {
	SIDE_ACT,       /* window 0 runs the act */
	SIDE_FORK,      /* a child runs the acts of all regions and then waits */
	SIDE_FORK_EXIT, /* like SIDE_FORK, but the child ends and is reaped */
	SIDE_FORK_EXEC, /* a child executes the worker's program again, ends, and is reaped */
	SIDE_EACH,      /* each region runs the acts of its turn */
	SIDE_THREADS,   /* two threads run the two acts of each region concurrently */
	SIDE_PROCESSES, /* a child and its parent run the two acts concurrently; the child ends and
			   is reaped */
	SIDE_NEIGHBOUR, /* another process, which maps none of these regions, runs the acts */
};

struct side_turn {
	uint32_t nr;
	uint8_t whole[SIDE_TURN_ACTS]; /* the range is the whole region, however long */
	struct act acts[SIDE_TURN_ACTS];
};

/* The result of checking one region's stamps (verbs/data.h). */
struct side_data {
	uint32_t wrong, page; /* number of wrong stamps; page of the first of them */
	_Alignas(8) uint64_t seen, expected;
};

struct side {
	_Alignas(8) uint64_t arena; /* address of window 0; set by the worker */
	uint64_t window; /* bytes from the start of one window to the start of the next */
	uint32_t nr;     /* windows in use */
	uint32_t at;     /* the window whose acts run now; it advances while acts return */
	uint32_t rounds; /* counts rounds, events, clears and concurrent acts; shows where a worker
			    that hangs has stopped */
	uint32_t event;  /* enum side_event */
	int32_t child;   /* PID of the child that waits beside the worker; 0 if there is none */
	int32_t event_error; /* errno of the event; for SIDE_NEIGHBOUR that of the first region */
	uint32_t settles_cgroup; /* settle memory.stat after a round and after a clear */
	uint32_t at_once;        /* set at the start if two acts of a region may run concurrently */
	uint32_t arrived[2]; /* how often each of the two processes or threads has reached the point
				where they wait for each other */
	char cgroup[96];     /* path of the worker's own cgroup; "" if it has none */
	uint8_t equal[SIDE_WINDOWS]; /* all pages of the region get the same data, for KSM */
	struct side_turn turns[SIDE_WINDOWS];
	struct side_data data[2][SIDE_WINDOWS];    /* of the worker, and of its child */
	struct act_outcome outcomes[SIDE_WINDOWS]; /* as of the last act, but `faulted` is a sum */
};

#endif
