// SPDX-License-Identifier: MIT
/* What recorded runs say of the sentences of documents, whatever the page is written in. */
#ifndef RSSCK_SENTENCES_H
#define RSSCK_SENTENCES_H

#include "document.h"
#include "kernels.h"

/* On which kernels the sentence holds, or is false, into set. Returns how many they are. */
size_t sentence_kernels(const struct kernels *k, const struct sentence *s,
			enum sentence_holds which, bool *set);

/* How many sentences hold, or are false, on one kernel. */
size_t sentences_on(const struct results *r, enum sentence_holds which);

/*
 * The id of the case that decides the n-th condition of a sentence, into buf:
 * the one it names, the one that found the fact, the one that measures the
 * models. NULL where there is no such condition, "" where it is a release or no run has the fact.
 */
const char *sentence_case(const struct sentence *s, size_t n, const struct fact_rows *facts,
			  char *buf, size_t size);

/* True if the same case has decided an earlier condition as well. */
bool sentence_repeats_case(const struct sentence *s, size_t n, const struct fact_rows *facts);

#endif
