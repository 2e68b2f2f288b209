// SPDX-License-Identifier: MIT
/* smem sums smaps. Its USS excludes hugetlb, as ps's does; psutil's includes it. */
#include "apart.h"

CASE(tools_smem) {
	.claim = "smem's RSS, PSS, USS and Swap are sums over smaps, so none of them lags",
	.because = "smem reads smaps mapping by mapping. USS is Private_Clean + Private_Dirty.",
	.said_by = SAID_BY("smem(8)"),
	.tools = TOOLS("smem"),
	APART,
};
