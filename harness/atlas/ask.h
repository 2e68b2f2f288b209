// SPDX-License-Identifier: MIT
/*
 * Repeats PAGEMAP_SCAN for one category at a time, because the kernel answers some of these queries
 * with separate code (pagemap_scan_pmd_entry()).
 */
#ifndef RSSCK_ATLAS_ASK_H
#define RSSCK_ATLAS_ASK_H

#include "look.h"
#include <rssck/discrepancy.h>

/*
 * True if a scan for one category finds the same pages as the earlier scan for all categories, for
 * each category but wpallowed and guard; also if there is nothing to compare. Otherwise *d
 * describes the first difference, and l->empty is the number of empty entries among the pages that
 * only the single scan has found; 0 if it has missed a page. Adds the number of comparisons to *nr.
 */
bool ask_agrees(struct look *l, unsigned process, uint64_t *nr, struct discrepancy *d);

#endif
