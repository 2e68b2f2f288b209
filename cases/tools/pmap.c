// SPDX-License-Identifier: MIT
/* pmap: sums of address space; its total is VmSize plus the gate page that no process owns. */
#include "apart.h"

CASE(tools_pmap) {
	.claim = "pmap's total is the address space of all lines of maps: VmSize and, where "
		 "there is one, the vsyscall page; -d's writeable/private is statm's data",
	.because = "The gate page [vsyscall] is printed in every process's maps and belongs to no "
		   "mm: total_vm does not count it.",
	.said_by = SAID_BY("pmap(1)"),
	.tools = TOOLS("pmap", "pmap -d"),
	APART,
};
