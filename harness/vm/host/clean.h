// SPDX-License-Identifier: MIT
/*
 * Makes a guest's output fit for a terminal. Its kernel is not trusted: of control characters and
 * escape sequences only the line break, the tab and, if requested, colour (ESC [ numbers m) reach
 * the host's terminal.
 */
#ifndef RSSCK_VM_CLEAN_H
#define RSSCK_VM_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

enum { CLEAN_PENDING_MAX = 16 };

/* A text that comes in pieces, with the bytes that are not yet known to be fit. */
struct clean {
	bool colour;
	char pending[CLEAN_PENDING_MAX + 1];
	size_t nr;
};

/*
 * Cleans the next piece into `to`, which has room for `length` + CLEAN_PENDING_MAX bytes. Unfit
 * bytes become a '?'; unwanted colour is removed. Returns the length.
 */
size_t clean_text(struct clean *c, const char *piece, size_t length, char *to);

/*
 * Cleans a whole ASCII text in place: all but printable characters, tabs and line ends become '?'.
 */
void clean_ascii(char *text, size_t length);

#endif
