// SPDX-License-Identifier: MIT
#ifndef RSSCK_SNAPSHOT_HUGE_PSS_H
#define RSSCK_SNAPSHOT_HUGE_PSS_H

#include <rssck/source.h>

/*
 * True if smaps adds nothing to Pss for a huge page that only one process maps. If a long may be
 * too short for the size of a huge page, the function maps one to test this. False if no huge page
 * is available.
 */
bool pss_loses_huge_page(const struct host *h);

#endif
