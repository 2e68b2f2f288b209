// SPDX-License-Identifier: MIT
/*
 * Runs a program of the host's for what it prints.
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
	unsigned limit_s;
};

enum { TERMINAL_LINES = 24, TERMINAL_COLUMNS = 240 };

/*
 * Run it, and take what it prints on stdout and stderr. Its environment is
 * made here: the C locale, a dumb terminal, no home but its settings. It has
 * a guard that kills it and removes its home when we are done, and when we
 * die. Returns 0, or -1 with a sentence in `why`.
 */
int program_output(const struct program *p, struct text *out, char *why, size_t size);

#endif
