// SPDX-License-Identifier: MIT
/* Runs two acts concurrently on each region of rssck atlas's worker. */
#ifndef RSSCK_AT_ONCE_H
#define RSSCK_AT_ONCE_H

#include "agent/side.h"
#include "verbs.h"

/* Call this before the baseline. `page` is a page that may be locked. */
void at_once_open(struct side *s, struct worker *k, char *page);

void at_once_begin(void);
void at_once_add(const struct worker *k, const struct act *one, const struct act *other);

/* Runs the acts in two threads. Returns errno, or 0. */
int at_once_threads(struct worker *k);

/*
 * at_once_here() runs one act of each region in this process, at_once_there() the other in its
 * child.
 */
void at_once_here(void);
void at_once_there(void);

#endif
