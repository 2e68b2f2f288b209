// SPDX-License-Identifier: MIT
/* Options of a command line, one after the other: what is wrong with one is said, with a remedy. */
#ifndef RSSCK_LINE_OPTIONS_H
#define RSSCK_LINE_OPTIONS_H

#include "command.h"
#include <getopt.h>
#include <stddef.h>

enum { OPTION_CODES = 512, OPTION_BAD = '?' };

enum option_kind {
	OPTION_FLAG,   /* bool: true */
	OPTION_VALUE,  /* int: `number` */
	OPTION_WORD,   /* const char * */
	OPTION_OUTPUT, /* const char *, a file; NULL, which is stdout, of "-" */
	OPTION_NUMBER, /* unsigned, from 1 to `number` */
	OPTION_CHOICE, /* int: which of `choices` */
	OPTION_FORMAT, /* bool: json rather than text */
	OPTION_COLOUR, /* bool: --color=always rather than never; as it was of auto */
	OPTION_TAKEN,  /* take() gets the word, NULL where an optional one is missing */
};

/*
 * An option of a command. Two names of one thing are rows that differ in their
 * names alone.
 */
struct option_row {
	const char *name;
	enum option_kind kind;
	size_t at;   /* where in what holds the command's options its value goes */
	char letter; /* "-v" is the same; '\0': there is none */
	unsigned number;
	const char *const *choices;                   /* ends with NULL */
	int (*take)(void *options, const char *word); /* 0, or -1 after it has said why */
	bool optional;                                /* it may come without a word */
	bool repeats;                                 /* it may be given again */
};

/*
 * Read a command line into `options`; the rows end with one without a name, and
 * --help is one of every command. Returns the index of the first word; 0 where
 * help was asked for, which is then printed; -1 after a usage error.
 */
int options_read(const struct command *c, const struct option_row *rows, void *options, int argc,
		 char **argv);

struct option_walk {
	const char *command;
	const char *shorts; /* "vqh"; "+h": what is behind the first other word is not ours */
	const struct option *options;
	bool repeats[OPTION_CODES]; /* the codes of those that may be given again */
	bool seen[OPTION_CODES];
};

void options_begin(struct option_walk *w, const char *command, const char *shorts,
		   const struct option *options);

/* The next option's code, -1 at the end, OPTION_BAD after a usage error. */
int option_next(struct option_walk *w, int argc, char **argv);

/* A word that is given twice, or NULL. */
const char *word_given_twice(char *const *words, size_t nr);

#endif
