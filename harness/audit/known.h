// SPDX-License-Identifier: MIT
/* What stock kernels are known to report wrong about a process. */
#ifndef RSSCK_AUDIT_KNOWN_H
#define RSSCK_AUDIT_KNOWN_H

#include "judge/judge.h"
#include <rssck/snapshot.h>

/* A discrepancy in *j that a known bug explains fails no more. */
void known_leave_out(const struct snapshot *s, long page_size, struct judgement *j);

#endif
