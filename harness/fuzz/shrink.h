// SPDX-License-Identifier: MIT
/* From a program that finds something to the shortest that still does. */
#ifndef RSSCK_FUZZ_SHRINK_H
#define RSSCK_FUZZ_SHRINK_H

#include "play.h"

/*
 * Runs it again, at most so many times, in workloads of its own: true if it finds the same again. A
 * finding that is not seen again is reported, but is no failure.
 */
bool finding_repeats(struct player *p, const struct program *program, unsigned times,
		     struct finding *f);

/* Leaves out steps, by halves and then singly, then shrinks the rest, within a time limit. */
void finding_shrink(struct player *p, struct program *program, struct finding *f, int64_t most_ms);

/* The program, both numbers and the rule. */
void finding_print(const struct program *program, const struct finding *f, FILE *out);

/* The same as the source of a case, "fuzz_found", to be saved as cases/fuzz/found.c. */
void finding_print_case(const struct program *program, const struct finding *f, const char *id,
			FILE *out);

#endif
