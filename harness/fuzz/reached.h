// SPDX-License-Identifier: MIT
/* The verbs, pairs of verbs and states of pages that programs have exercised. */
#ifndef RSSCK_FUZZ_REACHED_H
#define RSSCK_FUZZ_REACHED_H

#include "ledger.h"
#include <stdio.h>

enum { REACHED_VERBS = 192 };

struct reached {
	uint64_t done[REACHED_VERBS], refused[REACHED_VERBS]; /* operations, by the result of the
							       * call */
	bool pair[REACHED_VERBS][REACHED_VERBS];              /* two consecutive verbs that both
							       * succeeded */
	uint8_t states; /* bits of enum page_state: the states that some page certainly had */
	int last;       /* the previous verb; -1: none */
};

/* Call before each program, because its first operation has no predecessor. */
void reached_begin(struct reached *c);

void reached_act(struct reached *c, const struct act *a, const struct act_outcome *o);

/* Counts the states of a process's pages at a stop. */
void reached_look(struct reached *c, const struct ledger_process *p);

/* Adds the counts of another run. */
void reached_add(struct reached *c, const struct reached *others);

/* Prints one line, and up to two about verbs that never succeeded. */
void reached_print(const struct reached *c, FILE *out);

#endif
