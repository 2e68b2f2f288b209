// SPDX-License-Identifier: MIT
/*
 * The order in which sequences of one and two acts run, so that a run that stops early has tried
 * the most: each act and each event on each kind of memory; then every pair of acts once, each on
 * another kind and with another event; then each act twice, and each event after each act; then
 * the pairs again, with the next kind and event, until all have run. The order is the same on
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
 * Makes the list of wanted sequences. There are too many sequences of three acts to be sorted: they
 * run in the order of their numbers.
 */
void order_make(struct order *o, const struct words *w, unsigned length,
		bool (*wanted)(const void *data, const struct sequence *s), const void *data);
void order_free(struct order *o);

uint64_t order_number(const struct order *o, uint64_t at);

/* The index of a number among all that run, ascending; -1: it is not one of them. */
int64_t order_place(const struct order *o, uint64_t number);

#endif
