// SPDX-License-Identifier: MIT
/* The books of a machine on which nobody else does anything: a guest of rssck vm. */
#ifndef RSSCK_FUZZ_ALONE_H
#define RSSCK_FUZZ_ALONE_H

#include "ledger.h"

enum { ALONE_BOOKS = 3 };

struct alone {
	bool known; /* false: others are here, whose pages it counts, too */
	int64_t kb[ALONE_BOOKS];
};

/*
 * A guest of rssck vm has no hugetlb pages and no huge pages of shared memory, as kernels are by
 * default: where nobody has set anything else, there shall be some. Elsewhere nothing is done.
 */
void alone_prepare(void);

void alone_read(struct alone *m);

/* Nothing of ours is mapped at both: they say the same, or *m tells which does not. */
bool alone_is_as_before(const struct alone *before, const struct alone *now, struct mismatch *m);

#endif
