// SPDX-License-Identifier: MIT
/* A command, and what all of them have in common. */
#ifndef RSSCK_COMMAND_LINE_H
#define RSSCK_COMMAND_LINE_H

#include <stdbool.h>
#include <stdio.h>

/* Scripts depend on these: they do not change. */
enum exit_status {
	EXIT_HOLDS = 0,         /* all that could run hold; compare: the same */
	EXIT_FAILS = 1,         /* a case fails; compare: changed */
	EXIT_TROUBLE = 2,       /* bad usage, or an internal error */
	EXIT_NOTHING = 4,       /* nothing could run: kselftest's skip */
	EXIT_CANNOT_TELL = 125, /* git bisect run's */
};

/* --format of a command that runs cases. */
enum option_format { FORMAT_TEXT, FORMAT_KTAP, FORMAT_JUNIT, FORMAT_JSON };

/* What a command's arguments are, and an option's: the shells complete them. */
enum word_kind {
	WORD_ANY,
	WORD_CASE,    /* fork/cow */
	WORD_COMMAND, /* of rssck */
	WORD_FILE,
	WORD_FOLDER,
	WORD_NAME, /* that explain knows */
	WORD_PID,
	WORD_PROGRAM, /* and then its arguments */
	WORD_USER,
};

struct option_row;

/* Each takes its own argv (argv[0] is its name) and returns the program's exit status. */
struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *usage; /* what follows the name */
	const char *help;  /* one line */
	const char *about; /* paragraphs for help, an empty line between two; NULL: none */
	const struct option_row *rows; /* options.h; NULL: none but --help */
	const char *after;             /* paragraphs that follow the options; NULL: none */
	const char *exits;             /* "0 ..., 1 ..."; NULL: rssck(1) says it */
	enum word_kind words;
	bool runs_another; /* what follows the first word is no option of ours */
};

/* Print usage, options and exit statuses, in lines that fit. */
void command_help(const struct command *c, FILE *out);

/* Print the options and the exit statuses for the manual, as roff. */
void command_manual(const struct command *c, FILE *out);

/* Prints "rssck NAME: sentence" and where help is. Returns EXIT_TROUBLE. */
int usage_error(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * The index of an option's word in a list that ends with NULL. Returns 0, or -1
 * after a usage error; *choice is then as it was.
 */
int option_choice(const char *command, const char *option, const char *word,
		  const char *const *list, int *choice);

/* A number from 1 to `most`. Returns 0, or -1 after a usage error. */
int option_number(const char *command, const char *option, const char *word, unsigned most,
		  unsigned *number);

/* Prints "rssck: sentence". Returns EXIT_TROUBLE. */
int trouble(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
