// SPDX-License-Identifier: MIT
/*
 * A random program: memory operations, one on each line. The same seed gives the same program
 * on every kernel: no operation depends on the result of another.
 */
#ifndef RSSCK_FUZZ_PROGRAM_H
#define RSSCK_FUZZ_PROGRAM_H

#include "agent/verbs/verbs.h"
#include <stdio.h>

struct program {
	uint64_t seed;    /* 0: it was read from a file, or shrunk */
	bool unsettled;   /* counters are not settled: they may be off by as much as their model
			   * allows */
	unsigned threads; /* threads of each process, which run consecutive operations concurrently;
			   * 0, 1: none */
	unsigned nr;
	struct act acts[ACT_STEPS_MAX];
};

/* What to draw. */
struct recipe {
	unsigned steps;     /* operations of each program; 0: decided by the seed */
	unsigned processes; /* maximum number of processes, including the leader; 0: as many as
			     * possible */
	unsigned threads;   /* threads of each process that operate concurrently; 0, 1: none */
	const bool *verbs;  /* one flag for each verb: it may be drawn; NULL: all may */
};

/* Draws the program of a seed. */
void program_draw(struct program *p, uint64_t seed, const struct recipe *r);

/* Renumbers the operations after some have been removed. */
void program_number(struct program *p);

/* program_print_head() prints the lines before the first operation: how the program is run. */
void program_print_head(const struct program *p, FILE *out);
void program_print(const struct program *p, FILE *out);

/*
 * Reads a text as written by program_print(): '#' begins a comment. Returns 0, or -1 with a
 * sentence in `why`.
 */
int program_parse(struct program *p, const char *text, char *why, size_t size);

#endif
