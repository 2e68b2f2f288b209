// SPDX-License-Identifier: MIT
/* psutil: memory_info() is statm in bytes, memory_full_info() adds smaps_rollup. */
#include "apart.h"

CASE(tools_psutil) {
	.claim = "psutil's rss, vms, shared, text and data are statm in bytes; lib and dirty are "
		 "always 0; uss, pss and swap are smaps_rollup's",
	.because = "memory_info() reads statm, whose fields 5 and 7 have been 0 since 2.6.",
	.said_by = SAID_BY("psutil documentation, memory_info() and memory_full_info()"),
	.tools = TOOLS("psutil"),
	APART,
};
