// SPDX-License-Identifier: MIT
/* pmap -X and -XX show every field of smaps under its own name. */
#include "apart.h"

CASE(tools_pmap_xx) {
	.claim = "pmap -X and -XX sum every field of smaps, and show it under its name in smaps",
	.because = "pmap -X and -XX sum every field that they find in smaps. -XX also shows "
		   "fields that are the same in most mappings. Sums of KernelPageSize, "
		   "THPeligible and similar fields mean nothing.",
	.said_by = SAID_BY("pmap(1), -X"),
	.tools = TOOLS("pmap -X", "pmap -XX"),
	APART,
};
