// SPDX-License-Identifier: MIT
/* htop: statm's numbers like top's; its SWAP is smaps' Swap, unlike top's. */
#include "apart.h"

static void judge(const struct trial *t, struct judgement *j)
{
	const char *virt = trial_shown(t, SHARE_SHMEM, "htop", "VIRT");

	/* 3.2 divides by 1024 three times and then by 1000. */
	if (strchr(virt, 'T'))
		judge_fact(j, "htop.shows_16_TiB_as", "%s", virt);
}

CASE(tools_htop) {
	.claim = "htop's VIRT, RES, SHR, CODE and DATA are statm's; its SWAP is Swap of "
		 "smaps_rollup, which includes shmem on swap; top's is VmSwap, which does not",
	.because = "htop reads statm for all processes, and smaps_rollup only where a column of "
		   "it is shown. It draws on a terminal, so the case gives it one, and a q to end.",
	.said_by = SAID_BY("htop(1), M_VIRT to M_PSSWP"),
	.tools = TOOLS("htop"),
	APART,
	.facts = FACTS(FACT("htop.shows_16_TiB_as", "htop shows 16 TiB as", "16.0T|16.3T")),
	.judge = judge,
};
