// SPDX-License-Identifier: MIT
/* The state that all parts of the engine share: the machine, and this check's files on it. */
#ifndef RSSCK_ENGINE_STATE_H
#define RSSCK_ENGINE_STATE_H

#include <rssck/case.h>
#include <rssck/host.h>

struct engine {
	volatile unsigned *steps; /* incremented at each step of a workload, or NULL */
	struct host host;
	struct models models;
	struct curve *curves; /* recorded by the calibration; owned */
	size_t nr_curves;
	char workload[4096];  /* path of rssck-workload, or of this check's own copy of it */
	int copy;             /* descriptor of that copy; -1: there is none */
	char directory[4096]; /* the directory in which workload_file() makes files */
	char mark[32];        /* the prefix of all names that this check creates; no other check
			       * uses it */
	int log;              /* /dev/kmsg, or -1 if it cannot be read */
	bool alone;           /* for tests: disturbances by other processes change no verdict */
	char unmeasured[200]; /* the cause of a disturbed calibration, if a model is unknown */
	unsigned limit_s;     /* time limit of one step, in seconds */
};

#endif
