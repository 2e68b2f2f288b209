// SPDX-License-Identifier: MIT
/* Reads and judges one stopped process, repeatedly where something is wrong. */
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
	bool whole; /* all its relatives are stopped, too: they cannot change who shares its pages
		     */
	int64_t until; /* now_ms(): after this time, numbers that only keep changing are not read
			* again */
};

/*
 * Fills in a snapshot and a judgement of it, both to be freed. A failure in *j was seen the same
 * way at each of several looks, because others may share the pages of a stopped process, write them
 * back, merge them or make them huge.
 */
enum looked look_at(const struct traced *who, const struct looking *how, struct snapshot *s,
		    struct judgement *j);

#endif
