// SPDX-License-Identifier: MIT
/* A sequence as a case: its acts are steps. */
#ifndef RSSCK_ATLAS_WRITE_CASE_H
#define RSSCK_ATLAS_WRITE_CASE_H

#include "words.h"
#include <stdio.h>

/* A difference of two kernels, and the file that is to be its case. */
struct case_of {
	const char *path;      /* "cases/atlas/anon_free.c": the case's name is made of it */
	const char *words;     /* "anon, free" */
	const char *old, *new; /* releases */
	const char *old_text, *new_text; /* what each shows after the last word */
};

/* A skeleton that compiles, and checks every identity. 0, or -1 with a sentence in `why`. */
int case_write(const struct case_of *c, const struct words *w, FILE *out, char *why, size_t size);

#endif
