// SPDX-License-Identifier: MIT
/* The sentences of documents in many recorded runs, for every page format. */
#ifndef RSSCK_SENTENCES_H
#define RSSCK_SENTENCES_H

#include "document.h"
#include "kernels.h"

/*
 * Sets `set` for the kernels on which the sentence is true, false or undecided, as `which` says.
 * Returns their number.
 */
size_t sentence_kernels(const struct kernels *k, const struct sentence *s,
			enum sentence_holds which, bool *set);

/* The number of sentences that are true, false or undecided on one kernel, as `which` says. */
size_t sentences_on(const struct results *r, enum sentence_holds which);

/*
 * Writes the id of the case that decides the n-th condition of a sentence into buf. This is the
 * case that the condition names, the case that found the fact, or the case that measures the
 * models. Returns NULL if the sentence has no n-th condition; "" if the condition is a release, or
 * if no run has the fact.
 */
const char *sentence_case(const struct sentence *s, size_t n, const struct fact_rows *facts,
			  char *buf, size_t size);

/* True if the case of the n-th condition also decides an earlier condition. */
bool sentence_repeats_case(const struct sentence *s, size_t n, const struct fact_rows *facts);

#endif
