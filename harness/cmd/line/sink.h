// SPDX-License-Identifier: MIT
/*
 * The destination of a command's output: stdout, or a file that is written completely or not at
 * all.
 */
#ifndef RSSCK_SINK_H
#define RSSCK_SINK_H

#include <stddef.h>
#include <stdio.h>

struct sink {
	const char *path; /* NULL: stdout */
	FILE *out;
	char *text; /* the text for the file, until sink_close() */
	size_t length;
};

/* Returns 0, or -1 with a sentence in `why`. If the file cannot be written, fails here. */
int sink_open(struct sink *s, const char *path, char *why, size_t size);

/*
 * Writes the text. `failed` is the result of the code that has written to s->out, with errno.
 * Returns 0, or another number with a sentence in `why`.
 */
int sink_close(struct sink *s, int failed, char *why, size_t size);

/* Discards the text. */
void sink_drop(struct sink *s);

/*
 * Writes a temporary file and renames it; Ctrl-C has no effect meanwhile. A file that is not
 * regular is written directly, and Ctrl-C interrupts the write. Returns 0, or -1 with a sentence in
 * `why`.
 */
int sink_write(const char *path, const char *text, size_t length, char *why, size_t size);

#endif
