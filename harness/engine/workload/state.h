// SPDX-License-Identifier: MIT
/* What all parts of the engine know of the machine, and what this check has on it. */
#ifndef RSSCK_ENGINE_STATE_H
#define RSSCK_ENGINE_STATE_H

#include <rssck/case.h>
#include <rssck/host.h>

struct engine {
	volatile unsigned *steps; /* counted up with each step of a workload, or NULL */
	struct host host;
	struct models models;
	struct curve *curves; /* what the calibration has recorded; owned */
	size_t nr_curves;
	char workload[4096];  /* path of rssck-workload, or of this check's own copy of it */
	int copy;             /* which is this descriptor's; -1: there is none */
	char directory[4096]; /* where workload_file() makes its files */
	char mark[32];        /* what the names begin with that this check gives, and no other */
	int log;              /* /dev/kmsg, or -1 where it cannot be read */
	unsigned limit_s;     /* of one step, in seconds */
};

#endif
