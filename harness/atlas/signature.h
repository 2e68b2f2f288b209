// SPDX-License-Identifier: MIT
/*
 * Parses the texts of a record (written by look.c) and names the differences between two texts: in
 * the number of pages with each mark, and in the numbers of smaps.
 */
#ifndef RSSCK_ATLAS_SIGNATURE_H
#define RSSCK_ATLAS_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

enum { NUMBERS_MAX = 200, NUMBER_NAME = 40, SIGNATURE_TEXT = 400 };

/* The numbers of a text, summed over its mappings. */
struct view_numbers {
	unsigned nr;
	struct view_number {
		char name[NUMBER_NAME]; /* "Rss", "pages soft-dirty", "scan written", "child Locked"
					 */
		int64_t value;
	} of[NUMBERS_MAX];
};

void view_numbers_read(struct view_numbers *n, const char *text);

/* Returns the value of a number; 0 if the text does not have it. */
int64_t view_numbers_of(const struct view_numbers *n, const char *name);

/*
 * A set of differences. Each bit means that a certain number rose or fell, that a mark is on other
 * pages, or that an error changed.
 */
enum { DELTA_WORDS = 32 };
struct delta {
	uint64_t bits[DELTA_WORDS];
};

/* Holds the meaning of each bit, and the comparisons made so far. */
struct signatures;
struct signatures *signatures_new(void);
void signatures_free(struct signatures *s);

/*
 * Collects the names of the numbers in a text of one kernel (`which` is 0 or 1), because a number
 * that the other kernel never prints is not a difference. Call this for all texts before any
 * signatures_delta().
 */
void signatures_learn(struct signatures *s, unsigned which, const char *text);

/*
 * Compares two texts. Texts are identified by their addresses, so they must not be moved or freed.
 */
const struct delta *signatures_delta(struct signatures *s, const char *old, const char *new);

/* Writes differences like "Locked less, pages mlocked less" into buf. */
const char *delta_print(const struct signatures *s, const struct delta *d,
			char buf[SIGNATURE_TEXT]);

#endif
