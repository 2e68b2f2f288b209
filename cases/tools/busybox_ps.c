// SPDX-License-Identifier: MIT
/* busybox's ps: vsz and rss are stat's, so its rss lags where that of procps does not. */
#include "apart.h"

CASE(tools_busybox_ps) {
	.claim = "rss of busybox's ps is stat's rss, not VmRSS, which procps's ps shows",
	.because = "busybox takes everything from stat, one file for all columns.",
	.said_by = SAID_BY("busybox, ps --help"),
	.tools = TOOLS("busybox ps"),
	APART,
};
