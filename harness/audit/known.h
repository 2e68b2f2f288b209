// SPDX-License-Identifier: MIT
/* What stock kernels say wrongly of a process, and is known. */
#ifndef RSSCK_AUDIT_KNOWN_H
#define RSSCK_AUDIT_KNOWN_H

#include "judge/judge.h"
#include <rssck/snapshot.h>

/* What fails in *j for such a reason fails no more. */
void known_leave_out(const struct snapshot *s, long page_size, struct judgement *j);

#endif
