// SPDX-License-Identifier: MIT
/* Where a command's output goes: stdout, or a file that is complete or absent. */
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

/* Returns 0, or -1 with a sentence in `why`. Fails early if the file cannot be written. */
int sink_open(struct sink *s, const char *path, char *why, size_t size);

/* Writes the text; `failed` is the writer's own result, with errno. */
int sink_close(struct sink *s, int failed, char *why, size_t size);

/* Discards the text. */
void sink_drop(struct sink *s);

/*
 * Writes a temporary file and renames it; Ctrl-C waits for that. A file that is not regular is
 * written in place, and Ctrl-C interrupts that. Returns 0, or -1 with a sentence in `why`.
 */
int sink_write(const char *path, const char *text, size_t length, char *why, size_t size);

#endif
