// SPDX-License-Identifier: MIT
/* Runs a program and reads its output. */
#ifndef RSSCK_PROGRAM_H
#define RSSCK_PROGRAM_H

#include <rssck/source.h>

struct program {
	char *const *argv;    /* argv[0] is the path; ends with NULL */
	const char *input;    /* its stdin; NULL for an empty one */
	bool terminal;        /* run it on a terminal of its own, and type `input` there */
	const char *settings; /* contents of the settings file in a $HOME of its own, or NULL */
	const char *settings_name; /* file name of the settings, such as ".toprc" */
	bool inherits;             /* use rssck's environment instead of a new one */
	bool must_succeed; /* wait until it ends, and treat a status other than 0 as an error */
	unsigned limit_s;  /* time limit in seconds */
};

enum { TERMINAL_LINES = 24, TERMINAL_COLUMNS = 240 };

/* The time limit for programs that take less than a second on an idle machine. */
enum { PROGRAM_ASK_LIMIT_S = 60 };

/*
 * Runs a program and reads its stdout and stderr into *out. Unless p->inherits is set, its
 * environment has the C locale, a dumb terminal (with p->terminal a vt100), and a home with only
 * the settings file. When rssck is done or dies, a guard process kills the program with its process
 * group, and removes its home. Returns 0, or a negative number with a message in `why`.
 */
int program_output(const struct program *p, struct text *out, char *why, size_t size);

/*
 * Runs a program that must succeed, with an empty stdin and rssck's environment. Returns its
 * output, which the caller frees, or NULL with a message in `why`; if the exit status is not 0, the
 * message ends with the output.
 */
char *program_ask(char *const argv[], char *why, size_t size);

enum { HOME_MAX = 4096 };

/*
 * Makes a home directory with the program's settings file. A program without settings gets a path
 * that does not exist. Returns false with errno on failure.
 */
bool home_make(const struct program *p, char home[HOME_MAX]);

void home_remove(const struct program *p, const char *home);

#endif
