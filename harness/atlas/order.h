// SPDX-License-Identifier: MIT
/*
 * The order in which sequences of one and two acts run. A run that stops early should have tried as
 * much as possible. First comes each act and each event on each kind of memory. Then comes every
 * pair of acts, each on another kind and with another event. Then comes each act repeated, and each
 * event after each act. Then the pairs are repeated with the next kind and event, until all have
 * run. The order is the same on every machine.
 */
#ifndef RSSCK_ATLAS_ORDER_H
#define RSSCK_ATLAS_ORDER_H

#include "words.h"

struct order {
	uint32_t *of; /* numbers of sequences; NULL if they run in the order of their numbers */
	uint32_t *numbers; /* the same numbers, ascending */
	uint64_t nr;
};

/*
 * Makes the list of wanted sequences. Sequences of three acts are too many to sort; they run in the
 * order of their numbers.
 */
void order_make(struct order *o, const struct words *w, unsigned length,
		bool (*wanted)(const void *data, const struct sequence *s), const void *data);
void order_free(struct order *o);

uint64_t order_number(const struct order *o, uint64_t at);

/*
 * Returns the index of a number among all sequences that run, in ascending order; -1 if the
 * sequence does not run, or there is no list (sequences of three acts).
 */
int64_t order_place(const struct order *o, uint64_t number);

#endif
