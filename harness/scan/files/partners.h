// SPDX-License-Identifier: MIT
/* With whom a process shares its pages: which others map the same page frames. */
#ifndef RSSCK_SCAN_PARTNERS_H
#define RSSCK_SCAN_PARTNERS_H

#include "users.h"
#include <rssck/host.h>

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
 * Compare the page frames of s, whose maps were read, with those of every
 * process. Hugetlb and the zero page are left out, as they are of RSS. Returns
 * 0, or -1 with a sentence in `why`.
 */
int partners_find(struct partners *p, const struct snapshot *s, const struct host *h, char *why,
		  size_t size);
void partners_free(struct partners *p);

void partners_print(const struct partners *p, long page_size, FILE *out);
json_t *partners_json(const struct partners *p);

#endif
