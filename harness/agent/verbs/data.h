// SPDX-License-Identifier: MIT
/*
 * Checks that memory keeps its data. When the atlas stores to a page, it also writes a stamp at a
 * fixed offset of the page. Stamps differ from page to page, unless KSM should merge the pages.
 * After each act, struct data is updated by what the act does to the data. At the end a stamped
 * page must have its stamp, unless an act may have lost its data.
 */
#ifndef RSSCK_DATA_H
#define RSSCK_DATA_H

#include "verbs.h"

/*
 * DATA_AT is a stamp's offset in its page. Acts write only the first bytes of a page, and
 * verb_probe() puts its breakpoint after the stamp.
 */
enum { DATA_REGIONS = 2, DATA_PAGES = ACT_REGION_PAGES, DATA_AT = 64 };

struct data {
	uint16_t window;
	bool equal; /* all stamps are equal, so that KSM can merge the pages */
	struct data_region {
		bool stays;      /* MADV_DONTNEED keeps the data: the mapping is shared */
		bool loses;      /* the data may change at any time: MAP_DROPPABLE, rings */
		bool not_forked; /* a child does not inherit the data */
		uint32_t used;   /* no page from this number on has a stamp */
		/* The number of the page for which this stamp was written, from 1; 0 if unknown. */
		uint16_t stamp[DATA_PAGES];
	} of[DATA_REGIONS];
};

/* Forgets everything. From then on stamps contain `window`. */
void data_begin(struct data *d, uint16_t window);

/* Call this after concurrent acts, because their order is unknown. */
void data_forget(struct data *d);

/* Stamps a page, unless its region loses data. */
void data_stamp(struct worker *k, volatile char *page);

/* Updates *d after an act, whose outcome is in *k. */
void data_follow(struct data *d, const struct worker *k, const struct act *a);

/*
 * Updates the data in a forked child. From then on the child's shared memory and files have no
 * stamps, because the parent may write there, too.
 */
void data_forked(struct data *d, const struct worker *k);

/* Returns the stamp that a page must have; 0 if it may have any data. */
uint64_t data_expected(const struct data *d, unsigned region, uint32_t page);

/* Reads all stamps. Returns the number of wrong ones, and describes the first. */
uint32_t data_check(const struct data *d, const struct worker *k, uint32_t *page, uint64_t *seen,
		    uint64_t *expected);

#endif
