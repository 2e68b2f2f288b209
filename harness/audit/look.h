// SPDX-License-Identifier: MIT
/* One held process: read, judged, and looked at again where something is wrong. */
#ifndef RSSCK_AUDIT_LOOK_H
#define RSSCK_AUDIT_LOOK_H

#include "judge/judge.h"
#include "scan/audit/audit.h"
#include "tree.h"

enum looked { LOOKED_JUDGED, LOOKED_MOVED, LOOKED_GONE, LOOKED_DENIED };

/* How a process of a program is looked at. */
struct looking {
	const struct host *host;
	const struct measured *measured;
	bool whole; /* all its relatives stand still, too: they cannot change who shares its pages
		     */
	int64_t until; /* now_ms(): then what only moves is not looked at again */
};

/*
 * Fill in a snapshot and a judgement of it, both to be freed. What fails in *j was broken
 * in the same way at each of several looks: others may share its pages, write them back,
 * merge them or make them huge while it stands still.
 */
enum looked look_at(const struct held *who, const struct looking *how, struct snapshot *s,
		    struct judgement *j);

#endif
