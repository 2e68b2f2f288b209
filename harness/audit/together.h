// SPDX-License-Identifier: MIT
/* Judges all processes of a program together. */
#ifndef RSSCK_AUDIT_TOGETHER_H
#define RSSCK_AUDIT_TOGETHER_H

#include "audit.h"

/*
 * Judges the page frames and the program's cgroup. All processes of the program must be stopped,
 * and each must have been read.
 */
void together_judge(struct auditor *a, struct point *p, struct snapshot **s, size_t nr);

#endif
