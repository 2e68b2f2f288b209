// SPDX-License-Identifier: MIT
/* Facts as sentences, for people. */
#ifndef RSSCK_RUNS_FACTS_H
#define RSSCK_RUNS_FACTS_H

#include <stddef.h>

/*
 * "Is the zero page counted in RSS?": the sentence of the case that declares the fact, which the
 * value completes or answers; if no case declares it, its name with spaces, in buf.
 */
const char *fact_sentence(const char *name, char *buf, size_t size);

#endif
