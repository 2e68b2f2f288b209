// SPDX-License-Identifier: MIT
/* Two acts at the same time on each region of rssck atlas' worker. */
#ifndef RSSCK_AT_ONCE_H
#define RSSCK_AT_ONCE_H

#include "agent/side.h"
#include "verbs.h"

/* Before the baseline; `page`: one that may be locked. */
void at_once_open(struct side *s, struct worker *k, char *page);

void at_once_begin(void);
void at_once_add(const struct worker *k, const struct act *one, const struct act *other);

/* By two threads. errno, or 0. */
int at_once_threads(struct worker *k);

/* By two processes: what this one does, and what its child does. */
void at_once_here(void);
void at_once_there(void);

#endif
