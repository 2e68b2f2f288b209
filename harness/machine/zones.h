// SPDX-License-Identifier: MIT
/* Parses /proc/zoneinfo: the addresses, sizes and counters of each zone and node. */
#ifndef RSSCK_MACHINE_ZONES_H
#define RSSCK_MACHINE_ZONES_H

#include "numbers.h"

enum { ZONES_MAX = 128, ZONES_BLOCKS = 8192 };

struct zone {
	int node;
	char name[16];
	uint64_t start_pfn;
	int64_t spanned, present, managed, low, high, cma, kept, pcp; /* in pages */
	int64_t threshold;             /* pages that a CPU may hold back from a counter */
	struct machine_values values;  /* counters of the zone */
	struct machine_values of_node; /* counters of the node; set only in its first zone */
	bool first;
	bool unclear; /* some of its frames may be another zone's (zones_divide()) */
};

struct zones {
	struct zone of[ZONES_MAX];
	size_t nr;
};

/*
 * The zone of each block of memory. The spans of zones overlap if memory was added as movable, or
 * if the memory of nodes alternates. A frame that two zones span must be counted once.
 */
struct zone_blocks {
	uint64_t pages;              /* frames in a block; 0: no spans overlap */
	uint8_t owner[ZONES_BLOCKS]; /* index of the zone; ZONES_MAX: the first zone that spans the
				      * block */
};

/*
 * Finds the zone of each block that several zones span, in
 * /sys/devices/system/memory/memoryN/valid_zones. If the kernel does not name it, marks those zones
 * as unclear.
 */
void zones_divide(struct zones *z, int64_t page_kb, struct zone_blocks *b);

/*
 * zones_has() returns true if the frame, which must be in the zone's span, belongs to the zone.
 * zones_next() returns the first frame of the next block.
 */
bool zones_has(const struct zones *z, const struct zone_blocks *b, size_t zone, uint64_t pfn);
uint64_t zones_next(const struct zone_blocks *b, uint64_t pfn);

/* Returns the first frame after the span of the zone. */
uint64_t zone_end(const struct zone *z);

/* Parses the text of /proc/zoneinfo. Returns 0, or -1 if the text has no zone. */
int zones_parse(const char *text, int64_t page_kb, struct zones *z);

/* Adds the zones up, and sets the rows of these sums. */
void zones_sum(const struct zones *z, int64_t page_kb, struct machine_values *v);

/* Returns the most that all CPUs together may hold back from a line of vmstat, in pages. */
int64_t zones_held_back(const struct zones *z, unsigned cpus);

#endif
