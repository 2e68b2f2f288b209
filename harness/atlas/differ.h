// SPDX-License-Identifier: MIT
/*
 * Two records of rssck atlas: the shortest sequences that show something else, in groups by what
 * they have in common.
 */
#ifndef RSSCK_ATLAS_DIFFER_H
#define RSSCK_ATLAS_DIFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A record, loaded: sequences by their words, each with the text of what it shows last. */
struct atlas_record;

/* NULL with a sentence in `why`. */
struct atlas_record *atlas_record_load(const char *path, char *why, size_t size);
void atlas_record_free(struct atlas_record *r);

/* True if the file holds a record of rssck atlas. */
bool atlas_record_is_one(const char *path);

/* What the beginning of a sequence has shown, or NULL: it was not read. */
const char *atlas_record_text(const struct atlas_record *r, const char *words);

/* Prints the lines that the other text does not have, each behind `begin` and `who`. */
void atlas_print_only(const char *begin, const char *who, const char *text, const char *other,
		      FILE *out);

struct atlas_differences {
	size_t compared; /* beginnings of sequences that were read in both */
	size_t differ;   /* of those */
	size_t follow;   /* of those, the ones that begin like a shorter one that differs */
	size_t groups;
	size_t noisy; /* beginnings in which a second record of one of the two kernels differs */
	const char *shortest; /* the first of the shortest that differ; NULL: none does */
};

/*
 * Compare; `again`: further records of the two kernels, NULL if there is none: where they differ is
 * noise, and left out. Prints to `out`.
 */
void atlas_records_compare(const struct atlas_record *old, const struct atlas_record *new,
			   const struct atlas_record *again[2], struct atlas_differences *d,
			   FILE *out);

/*
 * Prints the known facts that one of them has met and the other has not; how many. None where one
 * is of a time when they were not recorded.
 */
size_t atlas_records_known(const struct atlas_record *old, const struct atlas_record *new,
			   FILE *out);

#endif
