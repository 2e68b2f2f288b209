// SPDX-License-Identifier: MIT
/* pidstat -r: RSS and %MEM are stat's rss, so they lag where top's RES does not. */
#include "apart.h"

CASE(tools_pidstat) {
	.claim = "pidstat's VSZ and RSS are stat's vsize and rss, and its %MEM is RSS's share of "
		 "MemTotal",
	.because = "pidstat reads stat for them, and field 24 is the approximate read.",
	.said_by = SAID_BY("pidstat(1), -r"),
	.tools = TOOLS("pidstat"),
	APART,
};
