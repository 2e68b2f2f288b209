// SPDX-License-Identifier: MIT
/*
 * PAGEMAP_SCAN asked in another way: for one category at a time. The kernel answers some of these
 * questions by code of their own (pagemap_scan_pmd_entry()).
 */
#ifndef RSSCK_ATLAS_ASK_H
#define RSSCK_ATLAS_ASK_H

#include "look.h"
#include <rssck/discrepancy.h>

/*
 * Whether each category asked for alone finds the pages that the reading before found with all
 * categories. l->empty: the empty entries among those that differ. *nr grows by the number of
 * comparisons.
 */
bool ask_agrees(struct look *l, unsigned process, uint64_t *nr, struct discrepancy *d);

#endif
