// SPDX-License-Identifier: MIT
/*
 * What madvise(), hole punching and truncation do to each kind of memory is the same on all tested
 * kernels that have the call, except where the table says ANY.
 */
#include "kinds.h"

/* clang-format off */
static const struct kind_row rows[] = {
	/* act                                 anon    read    none  locked     shm    none   memfd private written    file private written */
	{ "madvise @ FREE",                {   4440,   4000,   4000,  -4444,  -4400,  -4000,  -4400,  -4400,  -4440,  -4400,  -4400,  -4440 }, NULL },
	{ "madvise @ DONTNEED",            {   4000,   4000,   4000,  -4444,   4000,   4000,   4000,   4000,   4000,   4000,   4000,   4000 }, NULL },
	{ "madvise r0 1..2 DONTNEED",      {   4220,   4000,   4000,  -4444,   4200,   4000,   4200,   4200,   4220,   4200,   4200,   4220 }, NULL },
	{ "madvise r0 1..2 REMOVE",        {  -4440,  -4000,  -4000,  -4444,   4200,   4000,   4200,  -4400,  -4440,    ANY,  -4400,  -4440 }, NULL },
	{ "punch r0 1..2",                 {    ANY,    ANY,    ANY,    ANY,    ANY,    ANY,   4200,   4200,   4440,    ANY,    ANY,    ANY }, NULL },
	{ "truncate r0 2..3",              {    ANY,    ANY,    ANY,    ANY,    ANY,    ANY,   4200,   4200,   4220,    ANY,    ANY,   4220 }, NULL },
	{ "madvise r0 1..2 DONTNEED_LOCKED", {   4220,   4000,   4000,   4224,   4200,   4000,   4200,   4200,   4220,   4200,   4200,   4220 }, "MADV_DONTNEED_LOCKED (5.18)" },
	{ "madvise r0 1..2 GUARD_INSTALL", {   4220,   4000,   4000,  -4444,    ANY,    ANY,    ANY,    ANY,    ANY,    ANY,    ANY,    ANY }, "MADV_GUARD_INSTALL (6.13)" },
};
/* clang-format on */

KINDS_OF(rows)

CASE(atlas_drop) {
	.claim =
		"For each kind of memory, the pages that madvise(), hole punching and truncation drop are the same on every tested kernel (5.10 to 7.3) that has the call, except where the case's table says ANY",
	.because = "MADV_FREE works only on unlocked private anonymous mappings, and MADV_DONTNEED "
		   "only on unlocked memory. Punching a hole removes the file's pages from each "
		   "mapping, but keeps private copies. A huge page of the file that is only partly "
		   "in the hole is split, which unmaps all of it.",
	.said_by = SAID_BY("madvise(2)", "fallocate(2)"),
	.judge = judge_kinds,
	.steps = STEPS(KINDS_STEP("MADV_FREE", 0), KINDS_STEP("MADV_DONTNEED", 1),
		       KINDS_STEP("MADV_DONTNEED a part", 2), KINDS_STEP("MADV_REMOVE a part", 3),
		       KINDS_STEP("punch a hole", 4), KINDS_STEP("truncate", 5),
		       KINDS_STEP("MADV_DONTNEED_LOCKED a part", 6),
		       KINDS_STEP("MADV_GUARD_INSTALL a part", 7)),
};
