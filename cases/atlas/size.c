// SPDX-License-Identifier: MIT
/*
 * What munmap, mremap and a second mmap do to each kind of memory is the same on all tested
 * kernels, except where the table says ANY.
 */
#include "kinds.h"

/* clang-format off */
static const struct kind_row rows[] = {
	/* act                                 anon    read    none  locked     shm    none   memfd private written    file private written */
	{ "munmap r0 1..2",                {   2220,   2000,   2000,   2222,   2200,   2000,   2200,   2200,   2220,   2200,   2200,   2220 }, NULL },
	{ "mremap @ GROW by 16",           {  20440,  20000,  20000,    ANY,  20400,  20000,  20400,  20400,  20440,  20400,  20400,  20440 }, NULL },
	{ "mremap r0 2..3 SHRINK",         {   2220,   2000,   2000,   2222,   2200,   2000,   2200,   2200,   2220,   2200,   2200,   2220 }, NULL },
	{ "mremap @ DONTUNMAP to r1",      {   8440,   8000,   8000,    ANY,    ANY,    ANY,    ANY,    ANY,    ANY,    ANY,    ANY,    ANY }, "MREMAP_DONTUNMAP (5.7)" },
	{ "mmap @ again shared to r1",     {    ANY,    ANY,    ANY,    ANY,    ANY,    ANY,   8400,   8400,   8440,   8400,   8400,   8440 }, NULL },
};
/* clang-format on */

KINDS_OF(rows)

CASE(atlas_size) {
	.claim = "munmap, mremap and a second mmap change each kind of memory in the same way on "
		 "every tested kernel (5.10 to 7.3), except where the case's table says ANY",
	.because = "munmap removes the pages of its range. Unless the memory is locked, pages of a "
		   "grown part or of a second mapping are mapped when they are accessed.",
	.said_by = SAID_BY("mmap(2)", "mremap(2)"),
	.judge = judge_kinds,
	.steps = STEPS(KINDS_STEP("munmap a part", 0), KINDS_STEP("mremap to grow", 1),
		       KINDS_STEP("mremap to shrink", 2), KINDS_STEP("MREMAP_DONTUNMAP", 3),
		       KINDS_STEP("map the file again", 4)),
};
