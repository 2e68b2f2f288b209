// SPDX-License-Identifier: MIT
/* /proc/zoneinfo: where memory is, and what each zone and node counts. */
#ifndef RSSCK_MACHINE_ZONES_H
#define RSSCK_MACHINE_ZONES_H

#include "numbers.h"

enum { ZONES_MAX = 128 };

struct zone {
	int node;
	char name[16];
	uint64_t start_pfn;
	int64_t spanned, present, managed, low, high, cma, kept, pcp; /* pages */
	int64_t threshold;             /* that a CPU may hold back of a number, pages */
	struct machine_values values;  /* of the zone */
	struct machine_values of_node; /* of the node; in its first zone alone */
	bool first;
};

struct zones {
	struct zone of[ZONES_MAX];
	size_t nr;
};

/* Parse the text of /proc/zoneinfo. Returns 0, or -1 where it has no zone. */
int zones_parse(const char *text, int64_t page_kb, struct zones *z);

/* Sums over the zones, into the rows that are such sums. */
void zones_sum(const struct zones *z, int64_t page_kb, struct machine_values *v);

/* The most that all CPUs may hold back of a line of vmstat, pages. */
int64_t zones_held_back(const struct zones *z, unsigned cpus);

#endif
