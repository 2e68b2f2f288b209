// SPDX-License-Identifier: MIT
/* A set of numbers: objects that were already counted, each with a sum. */
#ifndef RSSCK_MACHINE_MET_H
#define RSSCK_MACHINE_MET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct met_one {
	uint64_t id; /* 0: the entry is free */
	int64_t sum;
};

struct met {
	struct met_one *of; /* owned: a hash table */
	size_t nr, room;
};

struct met *met_begin(void);
void met_free(struct met *m);

/* Adds a number; returns true if it is new. */
bool met_add(struct met *m, uint64_t id);

/* The entry of a number, which is added if it is new; valid until the next is added. */
struct met_one *met_of(struct met *m, uint64_t id);

#endif
