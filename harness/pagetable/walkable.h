// SPDX-License-Identifier: MIT
/* Decides which mappings' page tables are walked. */
#ifndef RSSCK_WALKABLE_H
#define RSSCK_WALKABLE_H

#include <rssck/snapshot.h>

/* False for the gate page, because no walker reaches it, and for a mapping of size 0. */
bool mapping_is_walkable(const struct mapping *m);

/*
 * True for a mapping that is not read entry by entry (8 bytes for each page) if the kernel offers
 * another way. Sanitizers and language runtimes reserve terabytes.
 */
#define MAPPING_LARGE (1ULL << 30)
bool mapping_is_large(const struct mapping *m);

/*
 * True if smaps was read and shows no page in the mapping, in memory or on swap. The mapping may
 * still contain zero pages, which smaps does not count.
 */
bool mapping_is_empty(const struct mapping *m);

#endif
