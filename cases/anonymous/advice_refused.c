// SPDX-License-Identifier: MIT
/*
 * Advice that would remove locked pages, or that does not apply to this kind of memory, is refused.
 */
#include <rssck/case.h>

enum { PAGES = 64, REGION = 0, FILE_REGION = 1 };

static void *map(struct workload *w, int flags, int fd)
{
	return workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE, flags, fd);
}

static void lock(struct workload *w)
{
	w->slot[REGION] = map(w, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (mlock(w->slot[REGION], PAGES * w->page_size) < 0)
		workload_skip(w, "mlock(2): %s", strerror(errno));
}

static void must_refuse(struct workload *w, int slot, int advice, int error, const char *name)
{
	if (madvise(w->slot[slot], PAGES * w->page_size, advice) == 0)
		workload_fail(w, "%s was taken", name);
	if (errno != error)
		workload_fail(w, "%s: %s, not %s", name, strerror(errno), strerror(error));
	workload_checked(w);
}

static void advise_locked(struct workload *w)
{
	must_refuse(w, REGION, MADV_DONTNEED, EINVAL, "MADV_DONTNEED of locked memory");
	must_refuse(w, REGION, MADV_FREE, EINVAL, "MADV_FREE of locked memory");
	must_refuse(w, REGION, MADV_COLD, EINVAL, "MADV_COLD of locked memory");
	must_refuse(w, REGION, MADV_PAGEOUT, EINVAL, "MADV_PAGEOUT of locked memory");
	must_refuse(w, REGION, MADV_GUARD_INSTALL, EINVAL, "MADV_GUARD_INSTALL of locked memory");
}

static void map_shared(struct workload *w)
{
	w->slot[REGION] = map(w, MAP_SHARED | MAP_ANONYMOUS, -1);
	touch_write(w, w->slot[REGION], PAGES);
	w->slot[FILE_REGION] = map(w, MAP_PRIVATE, workload_file(w, PAGES));
	touch_write(w, w->slot[FILE_REGION], PAGES);
}

static void advise_others(struct workload *w)
{
	must_refuse(w, REGION, MADV_FREE, EINVAL, "MADV_FREE of shared memory");
	must_refuse(w, REGION, MADV_WIPEONFORK, EINVAL, "MADV_WIPEONFORK of shared memory");
	must_refuse(w, FILE_REGION, MADV_FREE, EINVAL, "MADV_FREE of a file");
	must_refuse(w, FILE_REGION, MADV_WIPEONFORK, EINVAL, "MADV_WIPEONFORK of a file");
	must_refuse(w, FILE_REGION, MADV_REMOVE, EACCES, "MADV_REMOVE of a private mapping");
}

CASE(anonymous_advice_refused) {
	.claim = "madvise() refuses advice that would take pages of locked memory, and "
		 "anonymous-only advice on shared memory and files; nothing moves",
	.because = "madvise() checks the mapping's flags before it looks at any page: VM_LOCKED, "
		   "and whether the mapping is anonymous. A private mapping of a file is not, even "
		   "where every page of it is RssAnon.",
	.said_by = SAID_BY("madvise(2), EINVAL"),
	.steps = STEPS(STEP("map and lock", lock,
			    MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES))),
		       STEP("advise", advise_locked, .checks = 5),
		       STEP("map others", map_shared,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES), VIRT_DATA(PAGES),
				  ANON_WRITE(PAGES))),
		       STEP("advise them", advise_others, .checks = 5)),
};
