// SPDX-License-Identifier: MIT
/* pmap sums address space. Its total is VmSize plus [vsyscall], which is in no mm. */
#include "apart.h"

CASE(tools_pmap) {
	.claim = "pmap's total is VmSize plus the vsyscall page, if there is one; "
		 "writeable/private of pmap -d is data of statm",
	.because = "On x86-64 maps may list [vsyscall], but the page belongs to no mm, so total_vm "
		   "does not count it.",
	.said_by = SAID_BY("pmap(1)"),
	.tools = TOOLS("pmap", "pmap -d"),
	APART,
};
