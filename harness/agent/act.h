// SPDX-License-Identifier: MIT
/*
 * An act: one memory operation of a random program, with operands that are numbers and
 * mean the same on every kernel; and its outcome.
 */
#ifndef RSSCK_ACT_H
#define RSSCK_ACT_H

#include <stdint.h>

enum {
	ACT_REGIONS = 16,        /* number of regions of a process; each has its own place in the
				  * arena */
	ACT_REGION_PAGES = 2048, /* the most pages that a region can have */
	ACT_PROCESSES = 4,       /* the leader and the processes that it forks */
	ACT_STEPS_MAX = 60, /* the most acts of a program, and the most files that it can make */
	ACT_THREADS = 4,    /* the most threads of a process, each of which runs one act at a
			     * time */
	ACT_HELPERS = 24,   /* the most processes that one act forks and waits for */
};

struct act {
	uint16_t verb;   /* its row in verbs[] */
	uint8_t process; /* the process that runs it */
	uint8_t region;  /* the region that it works on */
	uint8_t to;      /* the other region, or process */
	uint8_t option;  /* the index of a word in the verb's list of options */
	uint8_t channel; /* the number that process `to` has in its workload */
	uint16_t serial; /* its position in the program, from 1 on; also the number of the file that
			  * it makes */
	uint32_t first, pages; /* the range: pages of the region */
};

struct act_outcome {
	int32_t error;              /* errno of the call; 0: it succeeded */
	uint32_t faulted;           /* number of pages at which an access raised a signal */
	_Alignas(8) uint64_t arena; /* address of region 0 */
	uint64_t stride;            /* distance between regions in bytes */
	int64_t seen, expected;     /* the number that the verb checks, and its required value */
	int64_t reported;           /* the number that the verb reports, see verb.reports */
	int64_t blocks, data; /* of the shmem file that the range maps, in pages: those charged to
			       * it, and those that hold data; both 0: there is no such file */
	int64_t known; /* number of wrong answers that a known bug explains; they are not in `seen`
			*/
};

#endif
