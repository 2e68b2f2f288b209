// SPDX-License-Identifier: MIT
/*
 * For each kind of memory, mlock, mlock2 and munlock fault in, lock and unlock the same pages on
 * all tested kernels.
 */
#include "kinds.h"

/* clang-format off */
static const struct kind_row rows[] = {
	/* act                                 anon    read    none  locked     shm    none   memfd private written    file private written */
	{ "mlock @",                       {   4444,   4444,   4444,   4444,   4404,   4404,   4404,   4444,   4444,   4404,   4444,   4444 }, NULL },
	{ "mlock r0 1..2",                 {   4442,   4222,   4222,   4444,   4402,   4202,   4402,   4422,   4442,   4402,   4422,   4442 }, NULL },
	{ "mlock @ ONFAULT",               {   4444,   4004,   4004,   4444,   4404,   4004,   4404,   4404,   4444,   4404,   4404,   4444 }, NULL },
	{ "munlock @",                     {   4440,   4000,   4000,   4440,   4400,   4000,   4400,   4400,   4440,   4400,   4400,   4440 }, NULL },
	{ "munlock r0 1..2",               {   4440,   4000,   4000,   4442,   4400,   4000,   4400,   4400,   4440,   4400,   4400,   4440 }, NULL },
};
/* clang-format on */

KINDS_OF(rows)

CASE(atlas_lock) {
	.claim =
		"For each kind of memory, the pages that mlock, mlock2 and munlock fault in, lock and unlock are the same on every tested kernel (5.10 to 7.3)",
	.because = "mlock() faults in the missing pages: with write faults if the mapping is "
		   "private and writable, else with read faults. With MLOCK_ONFAULT the first "
		   "access faults a page in. VmLck is the size of the locked address space.",
	.said_by = SAID_BY("mlock(2)", "proc_pid_smaps(5)"),
	.judge = judge_kinds,
	.steps = STEPS(KINDS_STEP("mlock", 0), KINDS_STEP("mlock a part", 1),
		       KINDS_STEP("mlock2 with MLOCK_ONFAULT", 2), KINDS_STEP("munlock", 3),
		       KINDS_STEP("munlock a part", 4)),
};
