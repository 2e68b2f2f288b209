// SPDX-License-Identifier: MIT
/*
 * A random program: acts on memory, one a line. The same seed is the same program on
 * every kernel: no act depends on what came of another.
 */
#ifndef RSSCK_FUZZ_PROGRAM_H
#define RSSCK_FUZZ_PROGRAM_H

#include "agent/verbs/verbs.h"
#include <stdio.h>

struct program {
	uint64_t seed;    /* 0: it was read from a file, or shrunk */
	bool unsettled;   /* what lags is left to lag: it may be off by what its model allows */
	unsigned threads; /* of each process, which do consecutive acts at once; 0, 1: none do */
	unsigned nr;
	struct act acts[ACT_STEPS_MAX];
};

/* What shall be drawn. */
struct recipe {
	unsigned steps;     /* of each program; 0: as the seed has it */
	unsigned processes; /* at most, the leader included; 0: as many as can be */
	unsigned threads;   /* of each process, which act at once; 0, 1: none do */
	const bool *verbs;  /* nr_verbs: those that may be drawn; NULL: all */
};

/* Draw the program of a seed. */
void program_draw(struct program *p, uint64_t seed, const struct recipe *r);

/* The acts get their numbers again after some have been left out. */
void program_number(struct program *p);

/* The lines in front of the first act: how it is run. */
void program_print_head(const struct program *p, FILE *out);
void program_print(const struct program *p, FILE *out);

/* A text as program_print() makes it: '#' begins a comment. 0, or -1 with a sentence in `why`. */
int program_parse(struct program *p, const char *text, char *why, size_t size);

#endif
