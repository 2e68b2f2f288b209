// SPDX-License-Identifier: MIT
/* Decodes the values of /proc/kpageflags and /proc/PID/pagemap. */
#ifndef RSSCK_EXPLAIN_PAGEFLAGS_H
#define RSSCK_EXPLAIN_PAGEFLAGS_H

#include "topics.h"
#include <stdbool.h>

/*
 * If a text asks for a value, "kpageflags 0x400000" or "pagemap 0x8600000000000abc", writes what
 * its bits say into buf, stores the entries of kpageflags' bits in *found, and sets *is. Returns 0,
 * or -1 if there is no memory.
 */
int pageflags_decode(const struct topics *all, const char *text, struct topics *found, bool *is,
		     char *buf, size_t size);

#endif
