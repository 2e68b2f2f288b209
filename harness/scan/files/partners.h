// SPDX-License-Identifier: MIT
/* With whom a process shares its pages: which others map the same page frames. */
#ifndef RSSCK_SCAN_PARTNERS_H
#define RSSCK_SCAN_PARTNERS_H

#include "sharers.h"
#include "users.h"

struct partner {
	struct fellow who;
	int64_t pages; /* of ours that it maps, too */
	int64_t alone; /* of these, mapped by the two of us and nobody else */
};

struct partners {
	struct partner *of; /* who shares most first; owned */
	size_t nr;
	int64_t shared; /* pages of ours that are mapped more than once */
	size_t unseen;  /* processes whose page tables we may not see */
};

/*
 * Compare the shared page frames of s, as sharers_count() has found them in the
 * mappings of f, with those of every process. Returns 0, or -1 with a sentence
 * in `why`.
 */
int partners_find(struct partners *p, const struct snapshot *s, const struct files *f,
		  const struct shared_frames *shared, const struct host *h, char *why, size_t size);
void partners_free(struct partners *p);

void partners_print(const struct partners *p, long page_size, FILE *out);
json_t *partners_json(const struct partners *p);

#endif
