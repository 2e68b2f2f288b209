// SPDX-License-Identifier: MIT
/* Reads and judges one stopped process, several times if something is wrong. */
#ifndef RSSCK_AUDIT_LOOK_H
#define RSSCK_AUDIT_LOOK_H

#include "judge/judge.h"
#include "scan/audit/audit.h"
#include "tree.h"

enum looked { LOOKED_JUDGED, LOOKED_MOVED, LOOKED_GONE, LOOKED_DENIED };

struct looking {
	const struct host *host;
	const struct measured *measured;
	bool whole;    /* the other processes of the program are stopped, too, so they cannot change
			  its sharing */
	int64_t until; /* as now_ms(); numbers that change are not read again after this time */
};

/*
 * Fills in a snapshot and a judgement of it; the caller frees both. Each failure in *j was seen in
 * several readings in a row, because other processes may share a stopped process's pages, and the
 * kernel may write them back, merge them or make them huge.
 */
enum looked look_at(const struct traced *who, const struct looking *how, struct snapshot *s,
		    struct judgement *j);

#endif
