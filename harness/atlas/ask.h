// SPDX-License-Identifier: MIT
/*
 * Repeats PAGEMAP_SCAN for one category at a time. The kernel answers some of these queries with
 * separate code (pagemap_scan_pmd_entry()).
 */
#ifndef RSSCK_ATLAS_ASK_H
#define RSSCK_ATLAS_ASK_H

#include "look.h"
#include <rssck/discrepancy.h>

/*
 * True if each category requested alone finds the pages that the earlier reading found with
 * all categories. Sets l->empty to the number of empty entries among those that differ. *nr
 * grows by the number of comparisons.
 */
bool ask_agrees(struct look *l, unsigned process, uint64_t *nr, struct discrepancy *d);

#endif
