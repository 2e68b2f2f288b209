// SPDX-License-Identifier: MIT
/* smemstat sums smaps, as smem does. */
#include "apart.h"

CASE(tools_smemstat) {
	.claim = "smemstat's Swap, USS, PSS and RSS are sums over smaps, so none of them lags",
	.because = "smemstat reads smaps mapping by mapping. USS is Private_Clean + "
		   "Private_Dirty.",
	.said_by = SAID_BY("smemstat(8)"),
	.tools = TOOLS("smemstat"),
	APART,
};
