// SPDX-License-Identifier: MIT
/*
 * Records the effect of programs on every number, as JSON ("rssck-fuzz/1"). Two records from two
 * kernels show the first step and number at which a program differs.
 */
#ifndef RSSCK_FUZZ_RECORD_H
#define RSSCK_FUZZ_RECORD_H

#include "base/print/json.h"
#include "play.h"

#define RECORD_SCHEMA "rssck-fuzz/1"

/* Makes the name "status.VmRSS unsettled" from "p1 unsettled" and "status.VmRSS". */
enum { RECORD_NAME = 96 };
void record_name(const char *process, const char *number, char name[RECORD_NAME]);

struct record;

struct record *record_new(const struct host *h);

/*
 * Runs a program twice and keeps the amounts by which it changed each number. Numbers that differ
 * between the two runs are noise. Returns PLAYED, or the first other result of player_play().
 */
enum played record_program(struct record *r, struct player *p, const struct program *program,
			   struct finding *f);

/* Returns the complete record and frees `r`. */
json_t *record_finish(struct record *r);

/* True if the file is a record. */
bool record_is_one(const char *path);

struct differences {
	size_t programs, differing, noisy;
	json_t *noise; /* only valid during the comparison */
	json_t *verbs; /* for each verb: the numbers that were the first difference in a program,
			* with the number of programs */
	FILE *out;
};

/*
 * Writes to d->out the first step and number at which each program differs. Then writes, for each
 * verb, the numbers that were the first difference in a program, and the number of programs. Skips
 * steps after a call that only one kernel refused, because they no longer run on the same memory.
 * Returns 0, or -1 with a sentence in `why` if the records cannot be compared.
 */
int records_compare(const char *old, const char *new, struct differences *d, char *why,
		    size_t size);

#endif
