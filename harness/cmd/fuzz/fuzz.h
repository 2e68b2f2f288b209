// SPDX-License-Identifier: MIT
/* The parts of rssck fuzz. */
#ifndef RSSCK_CMD_FUZZ_H
#define RSSCK_CMD_FUZZ_H

#include "cmd/line/options.h"
#include "engine/engine.h"
#include "fuzz/program.h"
#include <stdint.h>

extern const struct command command_fuzz;

struct fuzz_options {
	uint64_t first, last; /* the range of seeds */
	bool one_seed;        /* run and print only one program */
	unsigned time;        /* in seconds; 0: until all seeds are done */
	bool *verbs;          /* for each verb, whether it is used; NULL: all verbs; owned */
	unsigned jobs;        /* number of programs that run in parallel */
	struct recipe recipe;
	const char *replay; /* a file with one program */
	const char *output;
	const char *case_file;
	const char *resume; /* a file that contains the next seed until the run is done */
	const char *directory;
	bool json, keep_going, at_once;
};

enum { JOBS_MAX = 64 };

extern const struct option_row fuzz_rows[];

/* Returns a positive number, 0 after --help, or -1 after a usage error. */
int fuzz_options_read(const struct command *c, struct fuzz_options *o, int argc, char **argv);

/* The case to run before the program of a seed, or NULL. */
const struct case_registration *between_case(uint64_t seed);

/*
 * Runs the case. Returns true if it fails. Writes a failure, or a known bug that the case shows, to
 * `out`.
 */
bool between_run(struct engine *e, const struct case_registration *c, FILE *out);

#endif
