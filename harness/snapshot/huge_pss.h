// SPDX-License-Identifier: MIT
#ifndef RSSCK_SNAPSHOT_HUGE_PSS_H
#define RSSCK_SNAPSHOT_HUGE_PSS_H

#include <rssck/source.h>

/*
 * True if smaps adds nothing to Pss for a huge page that only one process maps. It maps a huge page
 * to test this if a long may be too short for its size. False if no huge page is available.
 */
bool pss_loses_huge_page(const struct host *h);

#endif
