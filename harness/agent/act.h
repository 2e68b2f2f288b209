// SPDX-License-Identifier: MIT
/*
 * An act: one memory operation of a random program, with its operands as numbers that
 * mean the same on every kernel, and what came of it.
 */
#ifndef RSSCK_ACT_H
#define RSSCK_ACT_H

#include <stdint.h>

enum {
	ACT_REGIONS = 16,        /* regions of a process; each has its own place in the arena */
	ACT_REGION_PAGES = 2048, /* that a region can have */
	ACT_PROCESSES = 4,       /* the leader and the processes that it forks */
	ACT_STEPS_MAX = 60,      /* acts of a program, and files that it can make */
	ACT_THREADS = 4,         /* of a process, each of which does an act */
	ACT_HELPERS = 24,        /* processes that an act forks for itself, and awaits: at most */
};

struct act {
	uint16_t verb;   /* its row in verbs[] */
	uint8_t process; /* who does it */
	uint8_t region;  /* to which region */
	uint8_t to;      /* the other region, or process */
	uint8_t option;  /* the number of a word in the verb's list */
	uint8_t channel; /* the number that process `to` has in its workload */
	uint16_t serial; /* its place in the program, from 1 on: the number of the file that it
			    makes */
	uint32_t first, pages; /* of the region */
};

struct act_outcome {
	int32_t error;              /* errno of the call; 0: it did what it was to do */
	uint32_t faulted;           /* pages at which an access was answered by a signal */
	_Alignas(8) uint64_t arena; /* where region 0 is */
	uint64_t stride;            /* from one region to the next, in bytes */
	int64_t seen, expected;     /* the checked number, and what it must be */
	int64_t reported;           /* of a verb that reports a number */
	int64_t blocks, data; /* of the shmem file behind the range, in pages: what it is charged
				 for, and what it holds; 0 and 0: there is none */
	int64_t known; /* how often the answer is another by a bug that is known: not in `seen` */
};

#endif
