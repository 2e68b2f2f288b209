// SPDX-License-Identifier: MIT
/* Facts as sentences, for people. */
#ifndef RSSCK_RUNS_FACTS_H
#define RSSCK_RUNS_FACTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * "Is the zero page counted in RSS?": a sentence that the fact's value ends or answers (facts.def);
 * for a fact of another rssck its name with spaces, into buf.
 */
const char *fact_sentence(const char *name, char *buf, size_t size);

/* True if facts.def has it. */
bool fact_has_sentence(const char *name);

#endif
