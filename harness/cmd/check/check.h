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
	const char *directory; /* NULL: the engine chooses */
	const char *journal;   /* NULL: no journal */
	unsigned repeat;
	unsigned limit_s; /* 0: the engine's default */
	enum colour colour;
	bool bisect, list, verbose, quiet;
};

/* Returns the same as options_read(). */
int check_options_parse(struct check_options *o, int argc, char **argv);

/* The program's exit status. With `bisect` it is an exit status for git bisect run. */
int check_status(const size_t count[VERDICT_COUNT], bool unstable, bool bisect);

/* Allocates results for `nr_cases` cases. Returns 0, or -1 if there is no memory. */
int run_begin(struct results *r, const struct engine *e, size_t nr_cases);

/* Runs one case and appends its result to *r, which has room for it. */
struct result *run_case(struct engine *e, const struct case_registration *c, struct results *r);

/*
 * Reads the kernel log a last time and updates the counts. Returns the number of cases that failed
 * because of it.
 */
size_t run_end(struct engine *e, struct results *r);

/*
 * Compares a later run of the same cases with the first run, and prints each verdict and fact that
 * differs. Returns the number of differences.
 */
size_t repeat_compare(const struct results *first, const struct results *again, unsigned run,
		      FILE *out);

/* Prints the sum of all retries, and the number for each case that was retried. */
void retries_print(const unsigned *retries, const struct results *r, FILE *out);

struct check {
	const struct check_options *options;
	const struct selection *selection;
	struct engine *engine;
	struct results results;
	size_t differences; /* number of differences between repeated runs */
	struct ticker ticker;
	struct journal journal;
	int out; /* a descriptor for the output: stdout, or with --output a temporary file until the
		    output is complete */
	bool is_brief; /* text on a terminal, without --verbose or --quiet */
};

/*
 * check_case() runs the next case of the first run. check_end() ends that run. Both write to
 * c->results and the journal.
 */
struct result *check_case(struct check *c, const struct case_registration *r);
bool check_end(struct check *c);

/*
 * Runs the second and later runs of --repeat. Prints differences, and adds their number to
 * c->differences.
 */
void repeat_runs(struct check *c, FILE *out);

/*
 * Writes the text format, for which cmocka runs the cases. cmocka's stdout and stderr are written
 * to fd. Returns 0, or -1 with errno.
 */
int check_text(struct check *c, int fd, bool colour);

/*
 * check_plain() runs the cases for the other formats, for --quiet and for text on a terminal, and
 * then calls check_write(). Both return 0, or -1 with errno.
 */
int check_plain(struct check *c, FILE *out, bool colour);
int check_write(const struct check *c, FILE *out, bool colour);

bool check_wants_colour(const struct check_options *o);

/* Copies the temporary file to the file of --output. Returns 0, or -1 with a sentence in `why`. */
int check_copy_out(const struct check *c, char *why, size_t size);

/*
 * Reports a run that ended early from its journal. `reason` says why it ended. `may_wait`: wait for
 * the reader of a pipe. Returns the exit status.
 */
int check_report_early(struct check *c, const char *reason, bool may_wait);

#endif
