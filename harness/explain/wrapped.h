// SPDX-License-Identifier: MIT
/* Recognizes values that are below 0, but were printed as unsigned. */
#ifndef RSSCK_EXPLAIN_WRAPPED_H
#define RSSCK_EXPLAIN_WRAPPED_H

#include <stdbool.h>

/*
 * True if a number of a text lies just below 2^64, in bytes or in a larger unit: no amount of
 * memory is that large. False where such a number means "no limit", and for a line of
 * /proc/PID/stat, which has addresses.
 */
bool text_has_wrapped(const char *text);

#endif
