// SPDX-License-Identifier: MIT
/*
 * Compares two records of rssck atlas. Prints the shortest sequences whose results differ, in
 * groups with a common change.
 */
#ifndef RSSCK_ATLAS_DIFFER_H
#define RSSCK_ATLAS_DIFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A loaded record: for each sequence its words and the text that it shows at its end. */
struct atlas_record;

/* Returns NULL, with a sentence in `why`, if the record cannot be loaded. */
struct atlas_record *atlas_record_load(const char *path, char *why, size_t size);
void atlas_record_free(struct atlas_record *r);

/* True if the file is a record of rssck atlas. */
bool atlas_record_is_one(const char *path);

/*
 * Returns the text read after `words`, which may be only the beginning of a sequence; NULL if none
 * was read.
 */
const char *atlas_record_text(const struct atlas_record *r, const char *words);

/* Prints the lines of `text` that `other` lacks, each after `begin` and `who`. */
void atlas_print_only(const char *begin, const char *who, const char *text, const char *other,
		      FILE *out);

struct atlas_differences {
	size_t compared; /* beginnings of sequences that were read in both records */
	size_t differ;   /* beginnings whose results differ */
	size_t follow;   /* beginnings that differ only as a shorter sequence does */
	size_t groups;
	size_t noisy; /* beginnings whose results differ between two records of one kernel */
	const char *shortest; /* the first of the shortest sequences that differ; NULL if none
				 differs */
};

/*
 * Compares two records and prints to `out`. again[0] and again[1] are further records of the same
 * two kernels, or NULL. Differences between records of one kernel are noise and are not printed.
 */
void atlas_records_compare(const struct atlas_record *old, const struct atlas_record *new,
			   const struct atlas_record *again[2], struct atlas_differences *d,
			   FILE *out);

/*
 * Prints the known facts that only one of the two records has met, and returns their number; 0 if a
 * record is too old to contain known facts.
 */
size_t atlas_records_known(const struct atlas_record *old, const struct atlas_record *new,
			   FILE *out);

#endif
