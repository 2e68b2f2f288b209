// SPDX-License-Identifier: MIT
/* rssck scan shows the same sums as the kernel, also for 32-bit processes and any page size. */
#include "apart.h"

CASE(tools_rssck_scan) {
	.claim =
		"rssck scan shows Rss and Swap as smaps does, and Pss as smaps_rollup does; its Uss is smaps_rollup's Private_Clean + Private_Dirty. This holds for 32-bit processes and for any page size, too",
	.because = "rssck scan reads smaps_rollup and smaps, and also walks the page tables. Its "
		   "Uss excludes hugetlb.",
	.said_by = SAID_BY("rssck(1)"),
	.tools = TOOLS("rssck scan"),
	APART,
};
