// SPDX-License-Identifier: MIT
#ifndef RSSCK_SNAPSHOT_HUGE_PSS_H
#define RSSCK_SNAPSHOT_HUGE_PSS_H

#include <rssck/source.h>

/*
 * True if smaps adds nothing to Pss for a huge page that one process maps. Tested with a page of
 * our own, if a long is too short for the size of one; false if no huge page is available.
 */
bool pss_loses_huge_page(const struct host *h);

#endif
