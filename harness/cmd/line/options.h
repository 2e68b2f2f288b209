// SPDX-License-Identifier: MIT
/* Options of a command line, one after the other: what is wrong with one is said, with a remedy. */
#ifndef RSSCK_LINE_OPTIONS_H
#define RSSCK_LINE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

enum { OPTION_CODES = 512, OPTION_BAD = '?' };

struct option_walk {
	const char *command;
	const char *shorts; /* "vqh" */
	const struct option *options;
	int repeatable; /* the code of the one that may be given again, or 0 */
	bool seen[OPTION_CODES];
};

void options_begin(struct option_walk *w, const char *command, const char *shorts,
		   const struct option *options);

/* The next option's code, -1 at the end, OPTION_BAD after a usage error. */
int option_next(struct option_walk *w, int argc, char **argv);

/* A word that is given twice, or NULL. */
const char *word_given_twice(char *const *words, size_t nr);

#endif
