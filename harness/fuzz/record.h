// SPDX-License-Identifier: MIT
/*
 * What programs did to every number, as JSON ("rssck-fuzz/1"): made on two kernels, two
 * records tell the first step and number at which a program differs.
 */
#ifndef RSSCK_FUZZ_RECORD_H
#define RSSCK_FUZZ_RECORD_H

#include "base/print/json.h"
#include "play.h"

#define RECORD_SCHEMA "rssck-fuzz/1"

/* "status.VmRSS unsettled" of what "p1 unsettled" holds of it. */
enum { RECORD_NAME = 96 };
void record_name(const char *process, const char *number, char name[RECORD_NAME]);

struct record;

struct record *record_new(const struct host *h);

/*
 * Run a program twice and keep what it moved; what the second run moved otherwise is noise.
 * What player_play() of the first run that did not end well has returned, else PLAYED.
 */
enum played record_program(struct record *r, struct player *p, const struct program *program,
			   struct finding *f);

/* The whole of it; the record is given up. */
json_t *record_finish(struct record *r);

/* True if the file holds a record. */
bool record_is_one(const char *path);

struct differences {
	size_t programs, differing, noisy;
	json_t *noise; /* while they are compared */
	json_t *verbs; /* by verb: the numbers that differ first after it, in how many programs each
			*/
	FILE *out;
};

/*
 * The first step and number at which each program differs; then, by verb, the numbers of which
 * that is the first difference in a program, and in how many: to d->out. What comes behind a
 * call that one of the kernels has refused is another program, and is left out.
 * Returns 0, or -1 with a sentence in `why` where they cannot be compared.
 */
int records_compare(const char *old, const char *new, struct differences *d, char *why,
		    size_t size);

#endif
