// SPDX-License-Identifier: MIT
/* The parts of rssck fuzz. */
#ifndef RSSCK_CMD_FUZZ_H
#define RSSCK_CMD_FUZZ_H

#include "cmd/line/options.h"
#include "fuzz/program.h"
#include <stdint.h>

extern const struct command command_fuzz;

struct fuzz_options {
	uint64_t first, last; /* seeds */
	bool one_seed;        /* run and print only one program */
	unsigned time;        /* seconds; 0: until all seeds are done */
	bool *verbs;          /* one flag for each verb; NULL: all; owned */
	unsigned jobs;        /* how many programs run at a time */
	struct recipe recipe;
	const char *replay; /* a file with one program */
	const char *output;
	const char *case_file;
	const char *resume;    /* a file that contains the next seed while a run is not done */
	const char *directory; /* for files */
	bool json, keep_going, at_once;
};

enum { JOBS_MAX = 64 };

extern const struct option_row fuzz_rows[];

/* Returns 1 or more, 0 after help, or -1 if an error has been printed. */
int fuzz_options_read(const struct command *c, struct fuzz_options *o, int argc, char **argv);

#endif
