// SPDX-License-Identifier: MIT
/*
 * A random program is a list of memory operations, one on each line. A seed gives the same program
 * on every kernel, because no operation depends on the result of another.
 */
#ifndef RSSCK_FUZZ_PROGRAM_H
#define RSSCK_FUZZ_PROGRAM_H

#include "agent/verbs/verbs.h"
#include <stdio.h>

struct program {
	uint64_t seed;    /* 0: the program was read from a file, or was shrunk */
	bool unsettled;   /* counters are not settled, so they may be wrong by up to their
			   * model's bound */
	unsigned threads; /* threads of each process, which run consecutive operations concurrently;
			   * 0 or 1: no threads */
	unsigned nr;
	struct act acts[ACT_STEPS_MAX];
};

struct recipe {
	unsigned steps;     /* operations of each program; 0: the seed decides */
	unsigned processes; /* at most this many processes, including the leader; 0: as many as
			     * possible */
	unsigned threads;   /* threads of each process that run operations concurrently; 0 or 1: no
			     * threads */
	const bool *verbs;  /* for each verb, whether it may be drawn; NULL: all may be drawn */
};

/* Draws the program of a seed. */
void program_draw(struct program *p, uint64_t seed, const struct recipe *r);

/* Renumbers the operations after some have been removed. */
void program_number(struct program *p);

/*
 * program_print_head() prints only the lines before the first operation, which say how the program
 * is run.
 */
void program_print_head(const struct program *p, FILE *out);
void program_print(const struct program *p, FILE *out);

/*
 * Reads a text as written by program_print(): '#' begins a comment. Returns 0, or -1 with a
 * sentence in `why`.
 */
int program_parse(struct program *p, const char *text, char *why, size_t size);

#endif
