// SPDX-License-Identifier: MIT
/*
 * Numbers of a process's memory, after each way to make a process, a thread, or a new program:
 * inherited, shared or reset.
 */
#include "inherited.h"

#define ROW(which, title) STEP(title, each_way, .argument = which, .checks = 1)

CASE(fork_inherited_memory) {
	.claim =
		"Locked, pinned, swapped and hugetlb memory, the policy of a mapping, MCL_FUTURE and MCL_ONFAULT end with exec, but not with an exec that is refused; fork inherits neither locks nor pins, but the rest; a thread, and a process made by vfork or with CLONE_VM, has all numbers of the same memory",
	.because = "mm_init() sets locked_vm, pinned_vm, the counters and VM_LOCKED of def_flags "
		   "to 0; dup_mmap() clears VM_LOCKED and copies the policy of each mapping. With "
		   "CLONE_VM copy_mm() takes the same mm.",
	.said_by = SAID_BY("mlock(2)", "mlockall(2), MCL_FUTURE, MCL_ONFAULT", "mbind(2)"),
	.steps = STEPS(ROW(LOCK_FUTURE, "MCL_FUTURE"), ROW(LOCK_FUTURE_ON_FAULT, "MCL_ONFAULT"),
		       ROW(LOCKED, "VmLck"), ROW(PINNED, "VmPin"), ROW(SWAPPED_OUT, "swapped"),
		       ROW(HUGETLB_PRIVATE, "private hugetlb"),
		       ROW(HUGETLB_SHARED, "shared hugetlb"),
		       ROW(MAPPING_POLICY, "policy of a mapping")),
	.flags = CASE_THP,
};
