// SPDX-License-Identifier: MIT
/* Facts as sentences for people. */
#ifndef RSSCK_RUNS_FACTS_H
#define RSSCK_RUNS_FACTS_H

#include <stddef.h>

/*
 * Returns a question or an unfinished sentence like "Is the zero page counted in RSS?", which the
 * fact's value answers or completes. The case that declares the fact defines it. If no case does,
 * writes the fact's name with spaces into buf.
 */
const char *fact_sentence(const char *name, char *buf, size_t size);

#endif
