// SPDX-License-Identifier: MIT
/* rssck on a terminal of its own. */
#ifndef RSSCK_TEST_TERMINAL_H
#define RSSCK_TEST_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct on_terminal {
	pid_t pid;
	int terminal;
	char said[1 << 17];
	size_t length;
};

/* Starts rssck with these words, which blanks separate, on a terminal of 24 lines. */
void terminal_start(struct on_terminal *r, unsigned short columns, const char *words);

/* Reads until the text appears. Returns false if the program ends or prints nothing for long. */
bool terminal_shows(struct on_terminal *r, const char *part);

/* Reads to the end. Returns the status of waitpid(2). */
int terminal_end(struct on_terminal *r);

/*
 * Returns the text on the screen at the end, without colours. A line that was rewritten has only
 * its last text. The caller frees it.
 */
char *terminal_text(const struct on_terminal *r);

/* Returns the columns of the widest line of a text. */
size_t widest_line(const char *text);

#endif
