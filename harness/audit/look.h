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
	bool whole; /* all its relatives are stopped, too, so they cannot change which of its pages
		     * are shared */
	int64_t until; /* now_ms(): after this time, numbers that keep changing are not read again
			*/
};

/*
 * Fills in a snapshot and a judgement of it; the caller frees both. A failure in *j was the same at
 * each of several looks, because others may share the pages of a stopped process, write them back,
 * merge them or make them huge.
 */
enum looked look_at(const struct traced *who, const struct looking *how, struct snapshot *s,
		    struct judgement *j);

#endif
