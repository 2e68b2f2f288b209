// SPDX-License-Identifier: MIT
/*
 * htop shows the numbers of statm, as top does; its SWAP is Swap of smaps_rollup, whereas top's
 * SWAP is VmSwap.
 */
#include "apart.h"

static void judge(const struct trial *t, struct judgement *j)
{
	const char *virt = trial_shown(t, SHARE_SHMEM, "htop", "VIRT");

	/* htop 3.2 divides the bytes by 1024 three times, then by 1000. */
	if (strchr(virt, 'T'))
		judge_fact(j, "htop.shows_16_TiB_as", "%s", virt);
}

CASE(tools_htop) {
	.claim =
		"htop shows statm's numbers as VIRT, RES, SHR, CODE and DATA. Its SWAP is Swap of smaps_rollup, which includes shmem; top's SWAP is VmSwap, which does not",
	.because = "htop reads statm for all processes, and smaps_rollup only if one of its "
		   "columns is shown. htop needs a terminal, so the case gives it one, and sends "
		   "q to end it.",
	.said_by = SAID_BY("htop(1), M_VIRT to M_PSSWP"),
	.tools = TOOLS("htop"),
	APART,
	.facts = FACTS(FACT("htop.shows_16_TiB_as", "htop shows 16 TiB as", "16.0T|16.3T")),
	.judge = judge,
};
