// SPDX-License-Identifier: MIT
/* The parts of rssck run. */
#ifndef RSSCK_CMD_RUN_H
#define RSSCK_CMD_RUN_H

#include "audit/audit.h"
#include "cmd/line/command.h"
#include <rssck/verdict.h>

extern const struct command command_run;

/*
 * The exit statuses that env(1), nice(1) and timeout(1) use for a command that cannot be run, and
 * EXIT_SIGNAL, to which a signal's number is added for a command that it has killed.
 */
enum { EXIT_NOT_RUN = 126, EXIT_NOT_FOUND = 127, EXIT_SIGNAL = 128 };

struct run_options {
	double every; /* time between audits in seconds */
	double held;  /* percentage of the time for which the program may be stopped */
	enum option_format format;
	const char *output, *plot; /* NULL: none */
	unsigned error_exitcode;
	bool no_model, quiet, colour;
	bool cgroup;  /* the program gets its own cgroup */
	bool exits;   /* each process is also audited when it ends */
	bool wrapper; /* the command only starts the program and is not audited */
};

/* The command, and the pipe for its requests for audits. */
struct started {
	pid_t pid;
	int mark; /* rssck's end of the pipe that $RSSCK_MARK names; -1: there is no pipe */
};

/*
 * Starts the command, in its cgroup if there is one; `traced`: under ptrace(2). Returns 0, or the
 * exit status after a message.
 */
int run_start(struct started *s, char **command, bool traced, struct group *g);

/* Audits the command until it ends. */
void run_follow(struct auditor *a, const struct started *s, const struct run_options *o);

/* Writes the report. Returns 0, or the exit status after a message. */
int run_report(const struct auditor *a, const struct results *r, const struct run_options *o,
	       char **command);

#endif
