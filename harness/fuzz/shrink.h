// SPDX-License-Identifier: MIT
/* Shrinks a program that has a finding to the shortest that still has it. */
#ifndef RSSCK_FUZZ_SHRINK_H
#define RSSCK_FUZZ_SHRINK_H

#include "play.h"

/*
 * Runs it again, at most `times` times, each in a new workload: true if the same finding appears. A
 * finding that does not appear again is reported, but is no failure.
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
