// SPDX-License-Identifier: MIT
/*
 * Settling a class of pages on a CPU that may hold back more of them than a
 * page table maps: from 129 CPUs on, where a percpu_counter's batch is above 256.
 */
#ifndef RSSCK_SETTLE_LARGE_H
#define RSSCK_SETTLE_LARGE_H

#include <stdbool.h>
#include <stdint.h>

/* What the way there can do with pages of the class. */
struct settle_ops {
	void (*map_table)(void *arg);             /* as many as a page table maps, one by one */
	void (*map_page)(void *arg);              /* one more */
	void (*drop_pages)(void *arg, int64_t n); /* some; of whole tables only at last */
	bool (*drop_table)(void *arg);            /* all of a whole table at once; false: none */
	int64_t (*shown)(void *arg);              /* a counter that lags */
};

/*
 * Bring what is held back to 0, and leave no page mapped. Returns false where
 * the counter does not move as one with that batch does.
 */
bool settle_large(const struct settle_ops *ops, void *arg, int64_t batch, int64_t table);

#endif
