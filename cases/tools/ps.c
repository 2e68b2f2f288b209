// SPDX-License-Identifier: MIT
/* ps: rss is VmRSS; drs and trs are address space, not resident memory. */
#include "apart.h"

CASE(tools_ps) {
	.claim = "rss of ps is VmRSS, and size of ps is VmData + VmStk; drs and trs are address "
		 "space, not resident memory",
	.because = "ps 4 reads stat and status, never statm. trs is end_code - start_code, and "
		   "drs is vsize of stat minus trs. The names come from systems that measured "
		   "resident text and data.",
	.said_by = SAID_BY("ps(1), STANDARD FORMAT SPECIFIERS"),
	.tools = TOOLS("ps"),
	APART,
};
