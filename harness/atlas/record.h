// SPDX-License-Identifier: MIT
/*
 * Writes the texts of all sequences as JSON ("rssck-atlas/1"). Texts are split into lines, and each
 * line is stored only once; "views" are lists of line numbers. Sequences that differ only in their
 * last act share one string. The string has one item for each act, in the order of "acts": the
 * number of the view after the act, "r" or "w" for the access, and the number of the view after the
 * access. "-" means that the sequence was not run.
 */
#ifndef RSSCK_ATLAS_RECORD_H
#define RSSCK_ATLAS_RECORD_H

#include "exception.h"
#include "order.h"
#include "views.h"
#include <jansson.h>
#include <rssck/host.h>

#define ATLAS_SCHEMA "rssck-atlas/1"

struct record_of {
	const struct words *words;
	unsigned length;
	const struct order *order;
	uint64_t first, last; /* the part of the order that was run */
	const seen_at *seen;  /* indexed by order_place() */
	FILE *const *texts;   /* one file for each job, see views.h */
	unsigned nr_texts;
	const uint64_t *excepted; /* how often each exception was met; EXCEPTIONS_MAX elements */
	const struct host *host;
};

/* Returns the known facts that the run has met, each as a sentence: the record's member "known". */
json_t *atlas_record_known(const uint64_t excepted[EXCEPTIONS_MAX]);

/* Returns 0, or -1 with errno. */
int atlas_record_write(const struct record_of *r, FILE *out);

#endif
