// SPDX-License-Identifier: MIT
/* atop's RSIZE is rss of stat, so it lags even if top's RES does not. */
#include "apart.h"

CASE(tools_atop) {
	.claim = "atop shows rss of stat as RSIZE, and with -R Pss of smaps as PSIZE",
	.because = "atop reads stat and status of each process, and smaps only with -R.",
	.said_by = SAID_BY("atop(1), PROCESS-LEVEL OUTPUT"),
	.tools = TOOLS("atop"),
	APART,
};
