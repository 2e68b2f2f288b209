// SPDX-License-Identifier: MIT
/* pidstat's RSS and %MEM come from rss of stat, so they lag even if top's RES does not. */
#include "apart.h"

CASE(tools_pidstat) {
	.claim = "pidstat shows vsize and rss of stat as VSZ and RSS, and its %MEM is RSS "
		 "divided by MemTotal",
	.because = "pidstat reads stat for these columns. Field 24 of stat is an approximate "
		   "count.",
	.said_by = SAID_BY("pidstat(1), -r"),
	.tools = TOOLS("pidstat"),
	APART,
};
