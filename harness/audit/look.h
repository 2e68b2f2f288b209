// SPDX-License-Identifier: MIT
/* One held process: read, judged, and looked at again where something is wrong. */
#ifndef RSSCK_AUDIT_LOOK_H
#define RSSCK_AUDIT_LOOK_H

#include "judge/judge.h"
#include "scan/audit/audit.h"

enum looked { LOOKED_JUDGED, LOOKED_MOVED, LOOKED_GONE, LOOKED_DENIED };

/*
 * Fill in a snapshot and a judgement of it, both to be freed. What fails in *j was broken
 * in the same way at each of several looks: others may share its pages, write them back,
 * merge them or make them huge while it stands still. What only moves is not looked at
 * again after `until` (now_ms()).
 */
enum looked look_at(pid_t pid, unsigned threads, const struct host *h, const struct measured *m,
		    int64_t until, struct snapshot *s, struct judgement *j);

#endif
