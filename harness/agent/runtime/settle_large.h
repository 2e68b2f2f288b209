// SPDX-License-Identifier: MIT
/*
 * Settles a class of pages where two batches are more pages than one page table maps. With tables
 * of 512 entries that is a percpu_counter's batch above 256: 129 CPUs or more.
 */
#ifndef RSSCK_SETTLE_LARGE_H
#define RSSCK_SETTLE_LARGE_H

#include <stdbool.h>
#include <stdint.h>

/* The operations on pages of the class that settling needs. */
struct settle_ops {
	void (*map_table)(void *arg);             /* maps as many pages as a page table maps, one by
						   * one */
	void (*map_page)(void *arg);              /* one more */
	void (*drop_pages)(void *arg, int64_t n); /* unmaps n loose pages; pages of whole tables
						   * only at the end */
	bool (*drop_table)(void *arg);            /* unmaps all pages of a whole table in one zap;
						   * false: there is none */
	int64_t (*shown)(void *arg);              /* the value of a lagging counter */
};

/*
 * Reduces what is held back to 0, and leaves no page mapped. False if the counter does
 * not move like one with that batch.
 */
bool settle_large(const struct settle_ops *ops, void *arg, int64_t batch, int64_t table);

#endif
