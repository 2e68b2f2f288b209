// SPDX-License-Identifier: MIT
/* A command, and what all commands have in common. */
#ifndef RSSCK_COMMAND_LINE_H
#define RSSCK_COMMAND_LINE_H

#include <stdbool.h>
#include <stdio.h>

/* Scripts depend on these values: they never change. */
enum exit_status {
	EXIT_HOLDS = 0,         /* all that could run holds; compare: no difference */
	EXIT_FAILS = 1,         /* a case fails; compare: differences */
	EXIT_TROUBLE = 2,       /* bad usage, or an internal error */
	EXIT_NOTHING = 4,       /* nothing could run, as kselftest's skip */
	EXIT_CANNOT_TELL = 125, /* for git bisect run */
};

/* The --format of a command that runs cases. */
enum option_format { FORMAT_TEXT, FORMAT_KTAP, FORMAT_JUNIT, FORMAT_JSON };

/* The kind of word of an argument or of an option's value, for the shells' completion. */
enum word_kind {
	WORD_ANY,
	WORD_CASE,    /* fork/cow */
	WORD_COMMAND, /* of rssck */
	WORD_FILE,
	WORD_FOLDER,
	WORD_NAME, /* a name that explain knows */
	WORD_PID,
	WORD_PROGRAM, /* a program, followed by its arguments */
	WORD_USER,
};

struct option_row;

/* Each takes its own argv (argv[0] is its name) and returns the program's exit status. */
struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *usage; /* the arguments, as the usage line shows them */
	const char *help;  /* one line */
	const char *about; /* paragraphs for help, an empty line between two; NULL: none */
	const struct option_row *rows; /* options.h; NULL: none but --help */
	const char *after;             /* paragraphs that follow the options; NULL: none */
	const char *exits;             /* "0 ..., 1 ..."; NULL: rssck(1) describes them */
	enum word_kind words;
	bool runs_another; /* the words after the first are not options of rssck */
};

/* Prints usage, options and exit statuses, in lines that fit. */
void command_help(const struct command *c, FILE *out);

/* Prints the options and the exit statuses for the manual, as roff. */
void command_manual(const struct command *c, FILE *out);

/* Prints "rssck NAME: sentence" and how to get help. Returns EXIT_TROUBLE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Looks up an option's word in a list that ends with NULL, and stores its index. Returns
 * 0, or -1 after a usage error; *choice is then unchanged.
 */
int option_choice(const char *command, const char *option, const char *word,
		  const char *const *list, int *choice);

/* Reads a number from 1 to `most`. Returns 0, or -1 after a usage error. */
int option_number(const char *command, const char *option, const char *word, unsigned most,
		  unsigned *number);

/* Prints "rssck: sentence". Returns EXIT_TROUBLE. */
int trouble(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
