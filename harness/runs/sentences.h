// SPDX-License-Identifier: MIT
/* The sentences of documents in recorded runs, for every page format. */
#ifndef RSSCK_SENTENCES_H
#define RSSCK_SENTENCES_H

#include "document.h"
#include "kernels.h"

/*
 * Finds the kernels on which the sentence holds, or is false, and sets `set`. Returns how
 * many they are.
 */
size_t sentence_kernels(const struct kernels *k, const struct sentence *s,
			enum sentence_holds which, bool *set);

/* The number of sentences that hold, or are false, on one kernel. */
size_t sentences_on(const struct results *r, enum sentence_holds which);

/*
 * Writes the id of the case that decides the n-th condition of a sentence into buf: the case that
 * it names, the one that found the fact, or the one that measures the models. NULL if there is no
 * such condition; "" if the condition is a release, or no run has the fact.
 */
const char *sentence_case(const struct sentence *s, size_t n, const struct fact_rows *facts,
			  char *buf, size_t size);

/* True if the same case also decides an earlier condition. */
bool sentence_repeats_case(const struct sentence *s, size_t n, const struct fact_rows *facts);

#endif
