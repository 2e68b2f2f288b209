// SPDX-License-Identifier: MIT
/* Rules for all processes of a program together. */
#ifndef RSSCK_AUDIT_TOGETHER_H
#define RSSCK_AUDIT_TOGETHER_H

#include "audit.h"

/* Judges page frames. All processes of the program are stopped, and each was read. */
void together_judge(struct auditor *a, struct point *p, struct snapshot **s, size_t nr);

#endif
