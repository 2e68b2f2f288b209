// SPDX-License-Identifier: MIT
/* ps: rss is VmRSS, drs all address space but the text, and trs is address space too. */
#include "apart.h"

CASE(tools_ps) {
	.claim =
		"Each of ps's memory columns is the metric that the table of columns names: rss is "
		"VmRSS, size is VmData + VmStk, and neither drs nor trs is resident memory",
	.because = "ps 4 reads stat and status, never statm. drs is stat's vsize minus (end_code - "
		   "start_code), and trs is that difference: the names come from systems that had "
		   "these numbers.",
	.said_by = SAID_BY("ps(1), STANDARD FORMAT SPECIFIERS"),
	.tools = TOOLS("ps"),
	APART,
};
