// SPDX-License-Identifier: MIT
/* Excuses wrong numbers that known bugs of released kernels explain. */
#ifndef RSSCK_AUDIT_KNOWN_H
#define RSSCK_AUDIT_KNOWN_H

#include "judge/judge.h"
#include <rssck/snapshot.h>

/* Marks discrepancies in *j as not being failures if a known bug explains them. */
void known_leave_out(const struct snapshot *s, long page_size, struct judgement *j);

#endif
