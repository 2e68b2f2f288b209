// SPDX-License-Identifier: MIT
/*
 * Makes a guest's output safe for a terminal, because the guest's kernel is not trusted. Of all
 * control characters and escape sequences, only line breaks, tabs and, if requested, colours (ESC [
 * numbers m) reach the host's terminal.
 */
#ifndef RSSCK_VM_CLEAN_H
#define RSSCK_VM_CLEAN_H

#include <stdbool.h>
#include <stddef.h>

enum { CLEAN_PENDING_MAX = 16 };

/* The state of a text that arrives in pieces: the bytes that cannot be judged yet. */
struct clean {
	bool colour;
	char pending[CLEAN_PENDING_MAX + 1];
	size_t nr;
};

/*
 * Cleans the next piece into `to`, which has room for `length` + CLEAN_PENDING_MAX bytes. Unsafe
 * bytes become '?', and unwanted colours are removed. Returns the length of the result.
 */
size_t clean_text(struct clean *c, const char *piece, size_t length, char *to);

/*
 * Cleans a complete ASCII text in place: all characters except printable ones, tabs and line breaks
 * become '?'.
 */
void clean_ascii(char *text, size_t length);

#endif
