// SPDX-License-Identifier: MIT
/*
 * Compares two records of rssck atlas: prints the shortest sequences whose results differ,
 * grouped by what they have in common.
 */
#ifndef RSSCK_ATLAS_DIFFER_H
#define RSSCK_ATLAS_DIFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A loaded record: sequences by their words, each with the last text that it shows. */
struct atlas_record;

/* Returns NULL with a sentence in `why` on errors. */
struct atlas_record *atlas_record_load(const char *path, char *why, size_t size);
void atlas_record_free(struct atlas_record *r);

/* True if the file holds a record of rssck atlas. */
bool atlas_record_is_one(const char *path);

/* The text after the beginning of a sequence, or NULL if it was not read. */
const char *atlas_record_text(const struct atlas_record *r, const char *words);

/* Prints the lines that the other text does not have, each after `begin` and `who`. */
void atlas_print_only(const char *begin, const char *who, const char *text, const char *other,
		      FILE *out);

struct atlas_differences {
	size_t compared; /* beginnings of sequences that were read in both */
	size_t differ;   /* of those */
	size_t follow;   /* of those that differ: how many begin like a shorter one that differs */
	size_t groups;
	size_t noisy; /* beginnings whose results differ between two records of one kernel */
	const char *shortest; /* the first of the shortest that differ; NULL: none differs */
};

/*
 * Compares two records and prints to `out`. `again`: further records of the two kernels, or NULL;
 * what differs between records of one kernel is noise, and left out.
 */
void atlas_records_compare(const struct atlas_record *old, const struct atlas_record *new,
			   const struct atlas_record *again[2], struct atlas_differences *d,
			   FILE *out);

/*
 * Prints the known facts that only one of the two has met; returns how many. None if one record
 * is too old to have them.
 */
size_t atlas_records_known(const struct atlas_record *old, const struct atlas_record *new,
			   FILE *out);

#endif
