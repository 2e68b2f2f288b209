// SPDX-License-Identifier: MIT
/* The parts of rssck check. */
#ifndef RSSCK_CHECK_H
#define RSSCK_CHECK_H

#include "base/print/ticker.h"
#include "cmd/line/command.h"
#include "cmd/line/select.h"
#include "engine/engine.h"
#include "report/journal.h"
#include "report/report.h"

extern const struct command command_check;

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct check_options {
	enum option_format format;
	const char *output;    /* NULL: stdout */
	const char *directory; /* NULL: the engine's choice */
	const char *journal;   /* NULL: none */
	unsigned repeat;
	unsigned limit_s; /* 0: the engine's default */
	enum colour colour;
	bool bisect, list, verbose, quiet;
};

/* As options_read(). */
int check_options_parse(struct check_options *o, int argc, char **argv);

/* The program's exit status; --bisect has statuses of its own. */
int check_status(const size_t count[VERDICT_COUNT], bool unstable, bool bisect);

/* Results to run cases into. 0, or -1 where there is no memory. */
int run_begin(struct results *r, const struct engine *e, size_t nr_cases);

/* Run one more case into r, which has room for it. */
struct result *run_case(struct engine *e, const struct case_registration *c, struct results *r);

/* Read the kernel log a last time and update the counts. Returns how many cases that failed. */
size_t run_end(struct engine *e, struct results *r);

/* Bring r->count up to date. */
void results_count(struct results *r);

/*
 * Compare a later run of the same cases with the first: prints each verdict
 * and fact that differs. Returns the number of differences.
 */
size_t repeat_compare(const struct results *first, const struct results *again, unsigned run,
		      FILE *out);

/* A line: how often each case of r needed a second try, and how often all did. */
void retries_print(const unsigned *retries, const struct results *r, FILE *out);

/* Everything that rssck check does, by its options. */
struct check {
	const struct check_options *options;
	const struct selection *selection;
	struct engine *engine;
	struct results results;
	size_t differences; /* between repeated runs */
	struct ticker ticker;
	struct journal journal;
	int out;       /* where the output goes: stdout, or memory until it is whole */
	bool is_brief; /* text on a terminal, without --verbose */
};

/* Run the next case of the first run, or end that run: into c->results and the journal. */
struct result *check_case(struct check *c, const struct case_registration *r);
size_t check_end(struct check *c);

/* Runs 2 and later of --repeat: prints what differs, and adds to c->differences. */
void repeat_runs(struct check *c, FILE *out);

/* The text format: cmocka runs the cases. Both its stdout and its stderr go to fd. 0, or -1 with
 * errno. */
int check_text(struct check *c, int fd, bool colour);

/* The other formats, and text for a terminal: run, then write. 0, or -1 with errno. */
int check_plain(struct check *c, FILE *out, bool colour);
int check_write(const struct check *c, FILE *out, bool colour);

/* True if the output is to be coloured. */
bool check_wants_colour(const struct check_options *o);

/* Copy the output from memory to its destination. 0, or -1 with a sentence in `why`. */
int check_copy_out(const struct check *c, char *why, size_t size);

/*
 * Report a run that has ended early, from its journal, as --format and --output say. `reason` is
 * why it ended, `may_wait` whether to wait for the reader of a pipe. Returns the exit status.
 */
int check_report_early(struct check *c, const char *reason, bool may_wait);

#endif
