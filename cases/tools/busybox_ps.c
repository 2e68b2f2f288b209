// SPDX-License-Identifier: MIT
/* busybox's ps shows vsz and rss of stat, so its rss lags even if rss of procps's ps does not. */
#include "apart.h"

CASE(tools_busybox_ps) {
	.claim = "ps of busybox shows rss of stat, whereas ps of procps shows VmRSS",
	.because = "busybox reads all memory columns from one file, stat.",
	.said_by = SAID_BY("busybox, ps --help"),
	.tools = TOOLS("busybox ps"),
	APART,
};
