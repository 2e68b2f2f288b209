// SPDX-License-Identifier: MIT
/* A set of numbers, such as the pages of a file, kept as ranges. */
#ifndef RSSCK_SCAN_RANGES_H
#define RSSCK_SCAN_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t start, end; /* the first number, and the number after the last one */
};

struct ranges {
	struct range *of; /* owned; sorted and disjoint only after counting */
	size_t nr, room;
};

/* Adds a range. */
void ranges_add(struct ranges *r, uint64_t start, uint64_t end);

/* Return how many numbers are in the set, in all or in [start, end). Unite the ranges. */
uint64_t ranges_count(struct ranges *r);
uint64_t ranges_count_within(struct ranges *r, uint64_t start, uint64_t end);

/* True if the number is in the set. The ranges must be united. */
bool ranges_has(const struct ranges *r, uint64_t number);
void ranges_free(struct ranges *r);

#endif
