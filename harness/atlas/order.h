// SPDX-License-Identifier: MIT
/*
 * The order in which sequences of one and two acts are run, so that whoever stops early has tried
 * the most: each act and each event on each kind of memory; then every pair of acts once, each on
 * another kind and with another event; then each act twice, and each event behind each act; then
 * the pairs again, on the next kind and with the next event, until all have been run. The same on
 * every machine.
 */
#ifndef RSSCK_ATLAS_ORDER_H
#define RSSCK_ATLAS_ORDER_H

#include "words.h"

struct order {
	uint32_t *of;      /* numbers of sequences; NULL: in the order of their numbers */
	uint32_t *numbers; /* the same, ascending */
	uint64_t nr;
};

/*
 * The sequences that are wanted; of three acts there are too many to be sorted, and they are run in
 * the order of their numbers.
 */
void order_make(struct order *o, const struct words *w, unsigned length,
		bool (*wanted)(const void *data, const struct sequence *s), const void *data);
void order_free(struct order *o);

uint64_t order_number(const struct order *o, uint64_t at);

/* The place of a number among all that are run, ascending; -1: it is none of them. */
int64_t order_place(const struct order *o, uint64_t number);

#endif
