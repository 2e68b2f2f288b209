// SPDX-License-Identifier: MIT
/* The description of a command, and functions for all commands. */
#ifndef RSSCK_COMMAND_LINE_H
#define RSSCK_COMMAND_LINE_H

#include <stdbool.h>
#include <stdio.h>

/* The exit statuses. They must not change, because scripts depend on them. */
enum exit_status {
	EXIT_HOLDS = 0,         /* all cases that could run hold; compare: no difference */
	EXIT_FAILS = 1,         /* a case fails; compare: there are differences */
	EXIT_TROUBLE = 2,       /* usage or internal error */
	EXIT_NOTHING = 4,       /* nothing could run; the same status as kselftest's skip */
	EXIT_CANNOT_TELL = 125, /* for git bisect run */
};

/* The formats of a report of check, run or vm (--format). */
enum option_format { FORMAT_TEXT, FORMAT_KTAP, FORMAT_JUNIT, FORMAT_JSON };

/* The kind of an argument or of an option's value, for completion in shells. */
enum word_kind {
	WORD_ANY,
	WORD_CASE, /* a case, e.g. fork/cow */
	WORD_COMMAND,
	WORD_FILE,
	WORD_FOLDER,
	WORD_NAME, /* a name for rssck explain */
	WORD_PID,
	WORD_PROGRAM, /* a program, followed by its arguments */
	WORD_USER,
};

struct option_row;

/*
 * A command. run() gets the command's own argv (argv[0] is its name) and returns the program's exit
 * status.
 */
struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *usage; /* the arguments in the usage line */
	const char *help;  /* a single line */
	const char *about; /* paragraphs for help, separated by empty lines; NULL: none */
	const struct option_row *rows; /* see options.h; NULL: only --help */
	const char *after;             /* paragraphs after the options; NULL: none */
	const char *exits;             /* "0 ..., 1 ..."; NULL: rssck(1) describes the exit
					* statuses */
	enum word_kind words;
	bool runs_another; /* the words after the first word are not options of rssck */
};

/* Prints usage, options and exit statuses, in lines that fit the terminal. */
void command_help(const struct command *c, FILE *out);

/* Prints the options and the exit statuses for the manual, as roff. */
void command_manual(const struct command *c, FILE *out);

/* Prints "rssck NAME: sentence" and how to get help. Returns EXIT_TROUBLE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Looks up an option's word in a list that ends with NULL, and stores its index. Returns 0, or -1
 * after a usage error, and then *choice is unchanged.
 */
int option_choice(const char *command, const char *option, const char *word,
		  const char *const *list, int *choice);

/* Reads a number from 1 to `most`. Returns 0, or -1 after a usage error. */
int option_number(const char *command, const char *option, const char *word, unsigned most,
		  unsigned *number);

/*
 * Reads the argument of --watch, the seconds between two readings; 2 if `word` is NULL. Returns 0,
 * or -1 after a usage error.
 */
int option_watch(const char *command, const char *word, double *seconds);

/* Prints "rssck: sentence". Returns EXIT_TROUBLE. */
int trouble(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
