// SPDX-License-Identifier: MIT
/*
 * pmap -x shows Rss of smaps, which never lags; its Dirty is the sum of shared and private dirty
 * pages.
 */
#include "apart.h"

CASE(tools_pmap_x) {
	.claim = "pmap -x sums smaps: its RSS is Rss, which never lags, and its Dirty is "
		 "Shared_Dirty + Private_Dirty",
	.because = "smaps walks the page tables. It calls a page dirty if the entry or the page "
		   "itself is dirty, even if another process wrote it.",
	.said_by = SAID_BY("pmap(1), -x"),
	.tools = TOOLS("pmap -x"),
	APART,
};
