// SPDX-License-Identifier: MIT
/*
 * For each kind of memory, a read or a write makes the same pages resident on all tested kernels.
 */
#include "kinds.h"

/* clang-format off */
static const struct kind_row rows[] = {
	/* act                                 anon    read    none  locked     shm    none   memfd private written    file private written */
	{ "read @",                        {   4440,   4000,   4000,   4444,   4400,   4400,   4400,   4400,   4440,   4400,   4400,   4440 }, NULL },
	{ "write @",                       {   4440,   4440,   4440,   4444,   4400,   4400,   4400,   4440,   4440,   4400,   4440,   4440 }, NULL },
	{ "pread r0 1..2",                 {   4440,   4220,   4220,   4444,   4400,   4200,   4400,   4420,   4440,   4400,   4420,   4440 }, NULL },
	{ "mem write r0 1..2",             {   4440,   4220,   4220,   4444,   4400,   4200,   4400,   4420,   4440,   4400,   4420,   4440 }, NULL },
	{ "madvise @ POPULATE_WRITE",      {   4440,   4440,   4440,   4444,   4400,   4400,   4400,   4440,   4440,   4400,   4440,   4440 }, "MADV_POPULATE_WRITE (5.14)" },
};
/* clang-format on */

KINDS_OF(rows)

CASE(atlas_touch) {
	.claim =
		"For each kind of memory, the pages that a read or a write makes resident are the same on every tested kernel (5.10 to 7.3)",
	.because =
		"Reading untouched private anonymous memory maps the zero page, which is in no RSS. Writing to a private mapping makes an anonymous page.",
	.said_by = SAID_BY("proc_pid_smaps(5)", "mmap(2)"),
	.judge = judge_kinds,
	.steps = STEPS(KINDS_STEP("read", 0), KINDS_STEP("write", 1),
		       KINDS_STEP("pread into the memory", 2),
		       KINDS_STEP("write by /proc/self/mem", 3),
		       KINDS_STEP("MADV_POPULATE_WRITE", 4)),
};
