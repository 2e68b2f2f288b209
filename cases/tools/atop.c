// SPDX-License-Identifier: MIT
/* atop: RSIZE is stat's rss, so it lags where top's RES does not. */
#include "apart.h"

CASE(tools_atop) {
	.claim =
		"Each of atop's memory columns is the metric that the table of columns names: RSIZE "
		"is stat's rss, PSIZE with -R is smaps' Pss",
	.because = "atop reads stat and status of each process, and smaps with an option.",
	.said_by = SAID_BY("atop(1), PROCESS-LEVEL OUTPUT"),
	.tools = TOOLS("atop"),
	APART,
};
