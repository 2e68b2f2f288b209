// SPDX-License-Identifier: MIT
/* Excuses wrong numbers that known bugs of released kernels explain. */
#ifndef RSSCK_AUDIT_KNOWN_H
#define RSSCK_AUDIT_KNOWN_H

#include "judge/judge.h"
#include <rssck/snapshot.h>

/* Clears ->fails of the discrepancies that a known bug explains. */
void known_leave_out(const struct snapshot *s, long page_size, struct judgement *j);

#endif
