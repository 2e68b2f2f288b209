// SPDX-License-Identifier: MIT
/*
 * MAP_LOCKED and mlock do not lock hugetlb memory, which is never paged out: VmLck does not change,
 * and MAP_LOCKED only populates it.
 */
#include <rssck/case.h>

enum { REGION = 0, BYTES = 0 };

static void map_locked(struct workload *w)
{
	size_t bytes = workload_hugetlb_bytes();
	int64_t pages = (int64_t)(bytes / w->page_size);
	void *p = workload_try_map(bytes, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_HUGETLB | MAP_LOCKED, -1);

	if (!p)
		workload_skip(w, "a hugetlb page with MAP_LOCKED: %m");
	workload_remember(w, p, bytes);
	w->slot[REGION] = p;
	w->number[BYTES] = (int64_t)bytes;
	workload_expect(w, VIRT_DATA(pages), HUGETLB(pages));
}

static void lock(struct workload *w)
{
	if (mlock(w->slot[REGION], (size_t)w->number[BYTES]) < 0)
		workload_skip_step(w, "mlock: %m");
}

static void unlock(struct workload *w)
{
	if (munlock(w->slot[REGION], (size_t)w->number[BYTES]) < 0)
		workload_skip_step(w, "munlock: %m");
}

CASE(hugetlb_locked) {
	.claim = "MAP_LOCKED and mlock of hugetlb memory do not change VmLck or Locked; "
		 "MAP_LOCKED makes the pages resident",
	.because = "mmap_region() and mlock_fixup() skip hugetlb mappings: such a mapping gets "
		   "no VM_LOCKED and is not in locked_vm. MAP_LOCKED still populates it.",
	.said_by = SAID_BY("proc_pid_status(5), VmLck", "mmap(2), MAP_LOCKED"),
	.needs = NEEDS("hugetlb"),
	.steps = STEPS(STEP("MAP_LOCKED", map_locked), STEP("mlock", lock),
		       STEP("munlock", unlock)),
	.posts = POSTS(VIRT_DATA(1), HUGETLB(1)),
};
