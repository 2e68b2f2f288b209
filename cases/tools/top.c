// SPDX-License-Identifier: MIT
/*
 * top: RES, SHR, VIRT, CODE, DATA are statm's; SWAP, USED and RSxx status's; PSS and USS
 * smaps_rollup's.
 */
#include "apart.h"

CASE(tools_top) {
	.claim =
		"Each of top's memory columns is the metric that the table of columns names: RES is "
		"statm's resident, not VmRSS, and RSlk is address space",
	.because = "top reads four files for each process (libproc2). RES and SHR come from statm, "
		   "so they are exact where stat is not; SWAP is VmSwap, which excludes shmem on "
		   "swap.",
	.said_by = SAID_BY("top(1), 3a. DESCRIPTIONS of Fields"),
	.tools = TOOLS("top"),
	APART,
};
