// SPDX-License-Identifier: MIT
/* rssck's own audit: what it adds up is the kernel's, whatever the process's bits and page size. */
#include "apart.h"

CASE(tools_rssck_scan) {
	.claim =
		"rssck scan's totals of a process are the kernel's: Rss and Swap by smaps, Pss and "
		"Uss by smaps_rollup; a process of 32 bits is no exception, nor are large pages",
	.because = "It reads smaps_rollup and smaps, and walks the page tables beside them. Its "
		   "Uss leaves out hugetlb.",
	.said_by = SAID_BY("rssck(1)"),
	.tools = TOOLS("rssck scan"),
	APART,
};
