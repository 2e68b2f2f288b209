// SPDX-License-Identifier: MIT
/* A set of numbers: objects that were counted already, each with a sum. */
#ifndef RSSCK_MACHINE_MET_H
#define RSSCK_MACHINE_MET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct met_one {
	uint64_t id; /* 0: the place is free */
	int64_t sum;
};

struct met {
	struct met_one *of; /* owned: a hash table */
	size_t nr, room;
};

struct met *met_begin(void);
void met_free(struct met *m);

/* Returns true if it was not there. */
bool met_add(struct met *m, uint64_t id);

/* The place of a number, which is added where it is not there; valid until the next is added. */
struct met_one *met_of(struct met *m, uint64_t id);

#endif
