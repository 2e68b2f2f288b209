// SPDX-License-Identifier: MIT
/* pmap -x: RSS is smaps' Rss, so it never lags; Dirty is the shared and the private part. */
#include "apart.h"

CASE(tools_pmap_x) {
	.claim = "pmap -x sums smaps: RSS is Rss, which never lags, and Dirty is Shared_Dirty + "
		 "Private_Dirty",
	.because = "smaps walks the page tables. A dirty page is one whose entry or page is "
		   "dirty, whichever other process maps it.",
	.said_by = SAID_BY("pmap(1), -x"),
	.tools = TOOLS("pmap -x"),
	APART,
};
