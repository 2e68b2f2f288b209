// SPDX-License-Identifier: MIT
/* Reads and judges one stopped process, several times if something is wrong. */
#ifndef RSSCK_AUDIT_LOOK_H
#define RSSCK_AUDIT_LOOK_H

#include "judge/judge.h"
#include "scan/audit/audit.h"
#include "tree.h"

enum looked { LOOKED_JUDGED, LOOKED_MOVED, LOOKED_GONE, LOOKED_DENIED };

/* How to read a process of a program. */
struct looking {
	const struct host *host;
	const struct measured *measured;
	bool whole;    /* the process's relatives are stopped, too, so none of them can change its
			  sharing */
	int64_t until; /* as now_ms(): after this time, changing numbers are not read again */
};

/*
 * Fills in a snapshot and a judgement of it; the caller frees both. Each failure in *j was the same
 * in several readings, because other processes may share a stopped process's pages, and the kernel
 * may write them back, merge them or make them huge.
 */
enum looked look_at(const struct traced *who, const struct looking *how, struct snapshot *s,
		    struct judgement *j);

#endif
