// SPDX-License-Identifier: MIT
/* Looking at all processes at a stop. */
#ifndef RSSCK_FUZZ_AUDIT_H
#define RSSCK_FUZZ_AUDIT_H

#include "play.h"

/*
 * Read every source of every process and compare: the identities first, then the states
 * of the pages, then the counts; `closed`: everything is unmapped. 0: all is as it must be, and the
 * ledger knows what the kernel chose; 1: *f says what is not; -1: a process is gone, p->s.why.
 */
int audit_all(struct player *p, bool settled, unsigned step, bool closed, struct finding *f);

#endif
