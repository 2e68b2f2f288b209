// SPDX-License-Identifier: MIT
/*
 * Runs a program and reads its output.
 */
#ifndef RSSCK_PROGRAM_H
#define RSSCK_PROGRAM_H

#include <rssck/source.h>

struct program {
	char *const *argv;         /* argv[0] is the path; ends with NULL */
	const char *input;         /* what it reads on stdin, or NULL: nothing */
	bool terminal;             /* on a terminal of its own, where `input` is typed */
	const char *settings;      /* a file for it in a $HOME of its own, or NULL */
	const char *settings_name; /* ".toprc" */
	bool inherits;             /* our environment: otherwise one is made */
	bool must_succeed;         /* wait for its end; another status than 0 is an error */
	unsigned limit_s;
};

enum { TERMINAL_LINES = 24, TERMINAL_COLUMNS = 240 };

/* A limit for programs that take no time on an idle machine. */
enum { PROGRAM_ASK_LIMIT_S = 60 };

/*
 * Runs it, and reads what it prints on stdout and stderr. The environment made for it has the C
 * locale, a dumb terminal, and a home with only its settings. Its guard kills it, with all
 * processes that it started, and removes its home when we are done or die. Returns 0, or below 0
 * with a sentence in `why`.
 */
int program_output(const struct program *p, struct text *out, char *why, size_t size);

/*
 * The same with empty stdin and our environment, for a program that must succeed. Returns what it
 * printed, to be freed, or NULL with a sentence in `why` that ends with what it printed.
 */
char *program_ask(char *const argv[], char *why, size_t size);

#endif
