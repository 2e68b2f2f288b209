// SPDX-License-Identifier: MIT
/* A set of identifiers of objects that are already counted, with a sum for each. */
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

/* Adds an identifier. Returns true if it is new. */
bool met_add(struct met *m, uint64_t id);

/*
 * Returns the entry of an identifier, and adds it if it is new. The pointer is valid until the next
 * call.
 */
struct met_one *met_of(struct met *m, uint64_t id);

#endif
