// SPDX-License-Identifier: MIT
/*
 * Reads the texts of a record (look.c writes them: our own format, rssck-atlas-1), and names what
 * differs in two: how many pages have each mark, and what smaps says of them.
 */
#ifndef RSSCK_ATLAS_SIGNATURE_H
#define RSSCK_ATLAS_SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

enum { NUMBERS_MAX = 200, NUMBER_NAME = 40, SIGNATURE_TEXT = 400 };

/* The numbers of a text, added up over its mappings. */
struct view_numbers {
	unsigned nr;
	struct view_number {
		char name[NUMBER_NAME]; /* "Rss", "pages soft-dirty", "scan written", "child Locked"
					 */
		int64_t value;
	} of[NUMBERS_MAX];
};

void view_numbers_read(struct view_numbers *n, const char *text);

/* 0 where the text has no such number. */
int64_t view_numbers_of(const struct view_numbers *n, const char *name);

/* What differs, each a bit: a number, and whether it is more, less, or of other pages. */
enum { DELTA_WORDS = 32 };
struct delta {
	uint64_t bits[DELTA_WORDS];
};

/* What the bits stand for, and what has been compared: two kernels' texts. */
struct signatures;
struct signatures *signatures_new(void);
void signatures_free(struct signatures *s);

/*
 * All numbers that a kernel's texts have (which: 0 or 1): what one of the two never prints is no
 * difference. Must come before any signatures_delta().
 */
void signatures_learn(struct signatures *s, unsigned which, const char *text);

/* Texts are known by their addresses: they must stay. */
const struct delta *signatures_delta(struct signatures *s, const char *old, const char *new);

/* "Locked less, pages mlocked less", into buf. */
const char *delta_print(const struct signatures *s, const struct delta *d,
			char buf[SIGNATURE_TEXT]);

#endif
