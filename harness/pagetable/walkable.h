// SPDX-License-Identifier: MIT
/* Which mappings are worth a walk of their page tables. */
#ifndef RSSCK_WALKABLE_H
#define RSSCK_WALKABLE_H

#include <rssck/snapshot.h>

/* False for the gate page, which no walker reaches. */
bool mapping_is_walkable(const struct mapping *m);

/*
 * True for a mapping that is too large to read entry by entry (8 bytes for each page) if
 * there is another way: sanitizers and runtimes reserve terabytes.
 */
#define MAPPING_LARGE (1ULL << 30)
bool mapping_is_large(const struct mapping *m);

/* True if smaps was read and shows no page in the mapping. smaps does not count zero pages. */
bool mapping_is_empty(const struct mapping *m);

#endif
