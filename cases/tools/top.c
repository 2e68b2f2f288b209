// SPDX-License-Identifier: MIT
/*
 * Which files top's columns come from. RES, SHR, VIRT, CODE and DATA: statm. SWAP, USED, RSan,
 * RSfd, RSlk and RSsh: status. RSS, USS, PSS and its parts: smaps_rollup.
 */
#include "apart.h"

CASE(tools_top) {
	.claim =
		"top's RES is the field \"resident\" of statm, not VmRSS; its RSlk is VmLck, which counts locked address space, not resident pages",
	.because = "libproc2 reads four files for each process. RES and SHR come from statm, so "
		   "since 6.6.99, 6.12.39, 6.15.7 and 6.16 they are exact even if stat lags. SWAP "
		   "is VmSwap, which excludes shmem on swap.",
	.said_by = SAID_BY("top(1), 3a. DESCRIPTIONS of Fields"),
	.tools = TOOLS("top"),
	APART,
};
