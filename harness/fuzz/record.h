// SPDX-License-Identifier: MIT
/*
 * The effect of programs on every number, as JSON ("rssck-fuzz/1"). Two records from two kernels
 * show the first step and number at which a program differs.
 */
#ifndef RSSCK_FUZZ_RECORD_H
#define RSSCK_FUZZ_RECORD_H

#include "base/print/json.h"
#include "play.h"

#define RECORD_SCHEMA "rssck-fuzz/1"

/* The name "status.VmRSS unsettled" for "p1 unsettled" and "status.VmRSS". */
enum { RECORD_NAME = 96 };
void record_name(const char *process, const char *number, char name[RECORD_NAME]);

struct record;

struct record *record_new(const struct host *h);

/*
 * Runs a program twice and keeps the amounts that it moved; what differs in the second run is
 * noise. Returns PLAYED, or the first other result of player_play().
 */
enum played record_program(struct record *r, struct player *p, const struct program *program,
			   struct finding *f);

/* Returns the whole record and frees `r`. */
json_t *record_finish(struct record *r);

/* True if the file holds a record. */
bool record_is_one(const char *path);

struct differences {
	size_t programs, differing, noisy;
	json_t *noise; /* valid during the comparison */
	json_t *verbs; /* by verb: the numbers that differ first after it, each with the number of
			* programs */
	FILE *out;
};

/*
 * Writes to d->out the first step and number at which each program differs; then, by verb, the
 * numbers that were the first difference in a program, and in how many programs. Steps after a call
 * that one of the kernels refused are skipped, because they no longer run on the same memory.
 * Returns 0, or -1 with a sentence in `why` if they cannot be compared.
 */
int records_compare(const char *old, const char *new, struct differences *d, char *why,
		    size_t size);

#endif
