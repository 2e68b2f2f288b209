// SPDX-License-Identifier: MIT
/*
 * What all sequences have shown, as JSON ("rssck-atlas/1"). Texts are taken apart into lines, and
 * each line is there a single time: "views" are lists of their numbers. Sequences that differ only
 * in their last act are one string, a word for each act in the order of "acts": "VIEW" after the
 * act, "r" or "w" for the access, "VIEW" after that; "-": it was not run.
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
	const seen_at *seen;  /* by order_place() */
	FILE *const *texts;   /* one of each job */
	unsigned nr_texts;
	const uint64_t *excepted; /* how often each exception was met: EXCEPTIONS_MAX */
	const struct host *host;
};

/* The facts for which no finding was told, each in a sentence: "known" of the record. */
json_t *atlas_record_known(const uint64_t excepted[EXCEPTIONS_MAX]);

/* 0, or -1 with errno. */
int atlas_record_write(const struct record_of *r, FILE *out);

#endif
