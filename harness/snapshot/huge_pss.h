// SPDX-License-Identifier: MIT
#ifndef RSSCK_SNAPSHOT_HUGE_PSS_H
#define RSSCK_SNAPSHOT_HUGE_PSS_H

#include <rssck/source.h>

/*
 * True if smaps adds nothing to Pss for a huge page that one process maps. Seen with a page of our
 * own, where the size of one can be lost in a long; false where none could be had.
 */
bool pss_loses_huge_page(const struct host *h);

#endif
