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

/* Start the program of said.h with those words, the first of which is its name. */
void terminal_start(struct on_terminal *r, unsigned short lines, unsigned short columns,
		    char *const argv[]);

/* Reads until the text appears, or the program has ended. */
bool terminal_shows(struct on_terminal *r, const char *part);

/* Read to the end. Returns waitpid(2)'s status. */
int terminal_end(struct on_terminal *r);

/*
 * The text on the screen at the end, without colours; a line that was rewritten has only its last
 * text. The caller frees it.
 */
char *terminal_text(const struct on_terminal *r);

/* The columns of the widest line of a text. */
size_t widest_line(const char *text);

#endif
