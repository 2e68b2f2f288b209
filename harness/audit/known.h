// SPDX-License-Identifier: MIT
/* Known bugs by which stock kernels report wrong numbers for a process. */
#ifndef RSSCK_AUDIT_KNOWN_H
#define RSSCK_AUDIT_KNOWN_H

#include "judge/judge.h"
#include <rssck/snapshot.h>

/* Makes a discrepancy in *j that a known bug explains no failure. */
void known_leave_out(const struct snapshot *s, long page_size, struct judgement *j);

#endif
