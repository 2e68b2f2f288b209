// SPDX-License-Identifier: MIT
/* pmap -X and -XX show fields of smaps under their own names. */
#include "apart.h"

CASE(tools_pmap_xx) {
	.claim = "pmap -X and -XX sum fields of smaps over all mappings, and show each sum under "
		 "the field's name in smaps",
	.because = "pmap -XX shows every field that it finds in smaps. -X omits some of them, such "
		   "as Private_Dirty. Sums of KernelPageSize, THPeligible and similar fields mean "
		   "nothing.",
	.said_by = SAID_BY("pmap(1), -X"),
	.tools = TOOLS("pmap -X", "pmap -XX"),
	APART,
};
