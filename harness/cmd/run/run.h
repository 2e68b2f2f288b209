// SPDX-License-Identifier: MIT
/* The parts of rssck run. */
#ifndef RSSCK_CMD_RUN_H
#define RSSCK_CMD_RUN_H

#include "audit/audit.h"
#include "cmd/line/command.h"
#include <rssck/verdict.h>

extern const struct command command_run;

/* The statuses of env(1), nice(1) and timeout(1) for a command that cannot be run. */
enum { EXIT_NOT_RUN = 126, EXIT_NOT_FOUND = 127, EXIT_SIGNAL = 128 };

struct run_options {
	double every; /* seconds between audits, at least */
	double held;  /* percent of the time for which the program may be stopped */
	enum option_format format;
	const char *output, *plot; /* NULL: none */
	unsigned error_exitcode;
	bool no_model, quiet, colour;
	bool cgroup;  /* the program gets a cgroup of its own */
	bool exits;   /* each process is audited at its end, too */
	bool wrapper; /* the command only starts the program, and is not part of it */
};

/* The command, and the pipe by which it requests audits. */
struct started {
	pid_t pid;
	int mark; /* our end of the pipe that $RSSCK_MARK names; -1: none */
};

/*
 * Starts the command, traced or not, in its cgroup if there is one. Returns 0, or the exit
 * status after a message.
 */
int run_start(struct started *s, char **command, bool traced, struct group *g);

/* Audits it until it ends. */
void run_follow(struct auditor *a, const struct started *s, const struct run_options *o);

/* Writes the report. Returns 0, or the exit status after a message. */
int run_report(const struct auditor *a, const struct results *r, const struct run_options *o,
	       char **command);

#endif
