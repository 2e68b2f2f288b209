// SPDX-License-Identifier: MIT
/*
 * Settles a class of pages if two batches exceed the pages of one page table: with 512 entries in a
 * table, if a percpu_counter's batch exceeds 256, which takes 129 CPUs or more.
 */
#ifndef RSSCK_SETTLE_LARGE_H
#define RSSCK_SETTLE_LARGE_H

#include <stdbool.h>
#include <stdint.h>

struct settle_ops {
	void (*map_table)(void *arg);             /* maps the pages of one more page table */
	void (*map_page)(void *arg);              /* maps one more page */
	void (*drop_pages)(void *arg, int64_t n); /* unmaps n pages, loose ones first */
	bool (*drop_table)(void *arg); /* unmaps a whole table in one zap; false if there is none */
	int64_t (*shown)(void *arg);   /* returns the value of a lagging counter */
};

/*
 * Reduces the held-back count to 0, and leaves no page mapped. Returns false if the counter does
 * not behave like one with that batch.
 */
bool settle_large(const struct settle_ops *ops, void *arg, int64_t batch, int64_t table);

#endif
