// SPDX-License-Identifier: MIT
/*
 * An act is one memory operation of a random program or of the atlas. Its operands are numbers that
 * mean the same on every kernel. Its outcome is what the workload observed.
 */
#ifndef RSSCK_ACT_H
#define RSSCK_ACT_H

#include <stdint.h>

enum {
	ACT_REGIONS = 16, /* number of regions of a process; each has its own place in the arena */
	ACT_REGION_PAGES = 2048, /* the maximum number of pages in a region */
	ACT_PROCESSES = 4,  /* maximum number of processes of a program, including the leader */
	ACT_STEPS_MAX = 60, /* maximum number of acts in a program, and of files that they make */
	ACT_THREADS = 4,    /* maximum number of threads in a process */
	ACT_HELPERS = 24,   /* children that fuzz/ksm.c assumes an act may fork and reap before it
			       returns; no act does so any more */
};

struct act {
	uint16_t verb; /* its row in verbs[] */
	uint8_t process;
	uint8_t region;
	uint8_t to;            /* the second region, or the process acted upon */
	uint8_t option;        /* index into the verb's list of options */
	uint8_t channel;       /* the index of process `to` in the workload */
	uint16_t serial;       /* position in the program, from 1; also names its file */
	uint32_t first, pages; /* the range, in pages of the region */
};

struct act_outcome {
	int32_t error;    /* errno of the call; 0 if it succeeded */
	uint32_t faulted; /* number of pages whose access failed: with a signal, or with an error of
			     the call */
	_Alignas(8) uint64_t arena; /* address of region 0; 8-byte aligned on 32 bits, too */
	uint64_t stride;            /* distance between regions in bytes */
	int64_t seen, expected;     /* the number that the verb checks, and its required value */
	int64_t reported;           /* the number that the verb reports; see verb.reports */
	int64_t blocks, data; /* pages charged to the shmem file that the range maps, and its pages
				 with data; both 0 without such a file */
	int64_t known; /* number of wrong answers explained by a known bug; neither `seen` nor
			  `expected` counts them */
};

#endif
