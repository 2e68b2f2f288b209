// SPDX-License-Identifier: MIT
/*
 * Runs a program and reads its output.
 */
#ifndef RSSCK_PROGRAM_H
#define RSSCK_PROGRAM_H

#include <rssck/source.h>

struct program {
	char *const *argv;         /* argv[0] is the path; ends with NULL */
	const char *input;         /* its stdin, or NULL: empty */
	bool terminal;             /* runs on a terminal of its own, where `input` is typed */
	const char *settings;      /* its settings file in a $HOME of its own, or NULL */
	const char *settings_name; /* ".toprc" */
	bool inherits;             /* use our environment instead of a new one */
	bool must_succeed;         /* wait until it ends; a status other than 0 is an error */
	unsigned limit_s;
};

enum { TERMINAL_LINES = 24, TERMINAL_COLUMNS = 240 };

/* A time limit for programs that end immediately on an idle machine. */
enum { PROGRAM_ASK_LIMIT_S = 60 };

/*
 * Runs a program and reads its stdout and stderr into *out. The environment made for it has the
 * C locale, a dumb terminal, and a home with only its settings. The guard kills it with all
 * processes that it started, and removes its home, when rssck is done or dies. Returns 0, or a
 * negative number with a sentence in `why`.
 */
int program_output(const struct program *p, struct text *out, char *why, size_t size);

/*
 * The same with an empty stdin and our environment, for a program that must succeed. Returns its
 * output, which the caller frees, or NULL with a sentence in `why` that ends with its output.
 */
char *program_ask(char *const argv[], char *why, size_t size);

#endif
