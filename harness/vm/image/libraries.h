// SPDX-License-Identifier: MIT
/* Finds the shared libraries of a program as the dynamic loader does. */
#ifndef RSSCK_VM_LIBRARIES_H
#define RSSCK_VM_LIBRARIES_H

#include <limits.h>
#include <stddef.h>

enum { LIBRARIES_MAX = 128 };

struct libraries {
	size_t count;
	char loader[PATH_MAX]; /* "" for a static program */
	struct {
		char name[NAME_MAX + 1]; /* the name for which the loader searches */
		char path[PATH_MAX];
	} list[LIBRARIES_MAX];
};

/* Fills in *l, which is too large for the stack. Returns 0, or -1 with a sentence in `why`. */
int libraries_find(struct libraries *l, const char *program, char *why, size_t size);

#endif
