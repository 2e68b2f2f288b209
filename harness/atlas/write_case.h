// SPDX-License-Identifier: MIT
/* Writes a sequence as a case whose steps are its acts. */
#ifndef RSSCK_ATLAS_WRITE_CASE_H
#define RSSCK_ATLAS_WRITE_CASE_H

#include "words.h"
#include <stdio.h>

/* A difference between two kernels, and the path of the case to be written. */
struct case_of {
	const char *path;                /* "cases/atlas/anon_free.c"; gives the case its name */
	const char *words;               /* "anon, free" */
	const char *old, *new;           /* the two kernels' releases */
	const char *old_text, *new_text; /* the text that each kernel shows after the last word */
};

/*
 * Writes a skeleton that compiles and checks the identities. Returns 0, or -1 with a sentence in
 * `why`.
 */
int case_write(const struct case_of *c, const struct words *w, FILE *out, char *why, size_t size);

#endif
