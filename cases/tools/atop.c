// SPDX-License-Identifier: MIT
/* atop's RSIZE is rss of stat, so it lags even if top's RES does not. */
#include "apart.h"

CASE(tools_atop) {
	.claim =
		"atop's RSIZE is rss of stat; with the option -R its PSIZE is Pss of smaps_rollup, or of smaps if it cannot open /proc/1/smaps_rollup",
	.because =
		"atop reads stat and status of each process, and with -R smaps_rollup (smaps if it cannot open /proc/1/smaps_rollup).",
	.said_by = SAID_BY("atop(1), PROCESS-LEVEL OUTPUT"),
	.tools = TOOLS("atop"),
	APART,
};
