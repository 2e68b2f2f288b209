// SPDX-License-Identifier: MIT
/* Parses /proc/zoneinfo: the addresses, sizes and counters of each zone and node. */
#ifndef RSSCK_MACHINE_ZONES_H
#define RSSCK_MACHINE_ZONES_H

#include "numbers.h"

enum { ZONES_MAX = 128 };

struct zone {
	int node;
	char name[16];
	uint64_t start_pfn;
	int64_t spanned, present, managed, low, high, cma, kept, pcp; /* in pages */
	int64_t threshold;             /* pages that a CPU may hold back from a counter */
	struct machine_values values;  /* counters of the zone */
	struct machine_values of_node; /* counters of the node; set only in its first zone */
	bool first;
};

struct zones {
	struct zone of[ZONES_MAX];
	size_t nr;
};

/* Parses the text of /proc/zoneinfo. Returns 0, or -1 if the text has no zone. */
int zones_parse(const char *text, int64_t page_kb, struct zones *z);

/* Adds the zones up, and sets the rows of these sums. */
void zones_sum(const struct zones *z, int64_t page_kb, struct machine_values *v);

/* Returns the most that all CPUs together may hold back from a line of vmstat, in pages. */
int64_t zones_held_back(const struct zones *z, unsigned cpus);

#endif
