// SPDX-License-Identifier: MIT
/* The output of a program, or of a function that writes text. */
#ifndef RSSCK_TEST_SAID_H
#define RSSCK_TEST_SAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Returns $RSSCK, or ./rssck. */
const char *program(void);

/*
 * Runs a command line by the shell, with %s and %d filled in. Returns its exit status. `out` gets
 * its output, which is cut off if it does not fit.
 */
int shell(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Runs a command line by the shell and returns its output, which the next call overwrites. Fails
 * the test if its exit status is another one. rssck_said() does the same for rssck with these
 * arguments.
 */
char *shell_said(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *rssck_said(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns true if the shell finds this program. */
bool is_installed(const char *program);

/*
 * Runs rssck with these arguments, by the shell. Fails the test if its exit status is another one,
 * or if `part` (unless it is NULL) is not in its output.
 */
void assert_rssck(int status, const char *part, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * printed() returns all that was written to the stream of printing(). The text stays allocated
 * until the program ends.
 */
FILE *printing(void);
char *printed(FILE *out);

#define PRINTED(out, call)              \
	({                              \
		FILE *out = printing(); \
		call;                   \
		printed(out);           \
	})

void assert_says(const char *text, const char *part);
void assert_says_not(const char *text, const char *part);

#endif
