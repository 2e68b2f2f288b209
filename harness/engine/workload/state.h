// SPDX-License-Identifier: MIT
/* The state that all parts of the engine share: the machine, and the files of this check. */
#ifndef RSSCK_ENGINE_STATE_H
#define RSSCK_ENGINE_STATE_H

#include <rssck/case.h>
#include <rssck/host.h>

struct balance;
struct left;

struct engine {
	volatile unsigned *steps; /* incremented at each step of a workload; may be NULL */
	struct host host;
	struct models models;
	struct curve *curves; /* curves of the calibration; owned */
	size_t nr_curves;
	char workload[4096];  /* path of rssck-workload, or of its copy for this check */
	int copy;             /* descriptor of that copy; -1: there is none */
	char directory[4096]; /* where workload_file() makes files */
	char mark[32];        /* the prefix, unique to this check, of all names that it creates */
	int log;              /* /dev/kmsg, or -1 if it cannot be read */
	bool alone;           /* for tests: ignore disturbances by other processes */
	char unmeasured[200]; /* why a model could not be measured, such as a limit; "": none */
	unsigned limit_s;     /* time limit of one step, in seconds */
	struct left *left; /* the machine's numbers after the last case; owned; NULL: not known */
	struct balance *balance; /* the sums after the last case; owned; NULL: not known */
	unsigned in_vain;        /* how often a case was run again for them, and proved nothing */
};

#endif
