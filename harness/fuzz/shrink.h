// SPDX-License-Identifier: MIT
/* Shrinks a program that has a finding to a shorter program that still has it. */
#ifndef RSSCK_FUZZ_SHRINK_H
#define RSSCK_FUZZ_SHRINK_H

#include "play.h"

/*
 * Runs the program again, at most `times` times, each time in a new workload. True if the same
 * finding appears. A finding that does not appear again is reported but is not a failure.
 */
bool finding_repeats(struct player *p, const struct program *program, unsigned times,
		     struct finding *f);

/*
 * First removes the steps after the finding, and tries to settle the counters and to do without
 * threads. Then removes groups of steps, then single steps, and shrinks the remaining operations,
 * for about most_ms milliseconds at most.
 */
void finding_shrink(struct player *p, struct program *program, struct finding *f, int64_t most_ms);

/* Prints the program, both numbers and the rule. */
void finding_print(const struct program *program, const struct finding *f, FILE *out);

/* Prints the finding as the source of the case "fuzz_found", to be saved as cases/fuzz/found.c. */
void finding_print_case(const struct program *program, const struct finding *f, const char *id,
			FILE *out);

#endif
