// SPDX-License-Identifier: MIT
/* smem: sums over smaps. Its USS leaves out hugetlb, as ps's does; psutil's has it. */
#include "apart.h"

CASE(tools_smem) {
	.claim = "smem's RSS, PSS, USS and Swap are sums over smaps, so none of them lags",
	.because = "It reads smaps mapping by mapping. USS is Private_Clean + Private_Dirty.",
	.said_by = SAID_BY("smem(8)"),
	.tools = TOOLS("smem"),
	APART,
};
