// SPDX-License-Identifier: MIT
/* rssck scan: its sums are the kernel's, for 32-bit processes and for any page size. */
#include "apart.h"

CASE(tools_rssck_scan) {
	.claim = "rssck scan's totals of a process are the kernel's: Rss and Swap by smaps, Pss "
		 "and Uss by smaps_rollup; the same holds for 32-bit processes and for large pages",
	.because = "rssck scan reads smaps_rollup and smaps, and also walks the page tables. Its "
		   "Uss excludes hugetlb.",
	.said_by = SAID_BY("rssck(1)"),
	.tools = TOOLS("rssck scan"),
	APART,
};
