// SPDX-License-Identifier: MIT
/* Says in which unit a number is printed. */
#ifndef RSSCK_EXPLAIN_UNIT_H
#define RSSCK_EXPLAIN_UNIT_H

#include "topics.h"

/* Writes "memory.current is in bytes." into buf, or "" if its unit is not known. */
void topic_unit(const struct topic *t, char *buf, size_t size);

#endif
