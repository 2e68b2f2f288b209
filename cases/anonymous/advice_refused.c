// SPDX-License-Identifier: MIT
/*
 * madvise() refuses MADV_DONTNEED and similar advice on locked memory, and advice that does not
 * suit the kind of mapping.
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
		workload_fail(w, "madvise() accepted %s", name);
	if (errno != error)
		workload_fail(w, "madvise() refused %s with '%s' instead of '%s'", name,
			      strerror(errno), strerror(error));
	workload_checked(w);
}

static void advise_locked(struct workload *w)
{
	must_refuse(w, REGION, MADV_DONTNEED, EINVAL, "MADV_DONTNEED on locked memory");
	must_refuse(w, REGION, MADV_FREE, EINVAL, "MADV_FREE on locked memory");
	must_refuse(w, REGION, MADV_COLD, EINVAL, "MADV_COLD on locked memory");
	must_refuse(w, REGION, MADV_PAGEOUT, EINVAL, "MADV_PAGEOUT on locked memory");
	must_refuse(w, REGION, MADV_GUARD_INSTALL, EINVAL, "MADV_GUARD_INSTALL on locked memory");
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
	must_refuse(w, REGION, MADV_FREE, EINVAL, "MADV_FREE on shared memory");
	must_refuse(w, REGION, MADV_WIPEONFORK, EINVAL, "MADV_WIPEONFORK on shared memory");
	must_refuse(w, FILE_REGION, MADV_FREE, EINVAL, "MADV_FREE on a file mapping");
	must_refuse(w, FILE_REGION, MADV_WIPEONFORK, EINVAL, "MADV_WIPEONFORK on a file mapping");
	must_refuse(w, FILE_REGION, MADV_REMOVE, EACCES, "MADV_REMOVE on a private mapping");
}

CASE(anonymous_advice_refused) {
	.claim =
		"madvise() refuses MADV_DONTNEED, MADV_FREE, MADV_COLD, MADV_PAGEOUT and MADV_GUARD_INSTALL on locked anonymous memory, and MADV_FREE and MADV_WIPEONFORK on shared memory and file mappings. No number changes",
	.because = "madvise() checks the mapping before it looks at any page: whether VM_LOCKED is "
		   "set, whether the mapping is anonymous, and for MADV_REMOVE whether it is "
		   "shared and writable. A private file mapping is not anonymous, even if RssAnon "
		   "counts all its pages.",
	.said_by = SAID_BY("madvise(2), EINVAL"),
	.steps = STEPS(STEP("map and lock", lock,
			    MOVES(VIRT_DATA(PAGES), VIRT_LOCKED(PAGES), ANON_LOCKED(PAGES))),
		       STEP("advise", advise_locked, .checks = 5),
		       STEP("map others", map_shared,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES), VIRT_DATA(PAGES),
				  ANON_WRITE(PAGES))),
		       STEP("advise them", advise_others, .checks = 5)),
};
