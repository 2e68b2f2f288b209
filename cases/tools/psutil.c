// SPDX-License-Identifier: MIT
/* psutil: memory_info() returns statm in bytes, memory_full_info() adds numbers of smaps_rollup. */
#include "apart.h"

CASE(tools_psutil) {
	.claim = "psutil returns statm in bytes as rss, vms, shared, text and data; lib and "
		 "dirty are always 0, and uss, pss and swap come from smaps_rollup",
	.because = "memory_info() reads statm, whose fields 5 and 7 have been 0 since 2.6.",
	.said_by = SAID_BY("psutil documentation, memory_info() and memory_full_info()"),
	.tools = TOOLS("psutil"),
	APART,
};
