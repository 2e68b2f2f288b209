// SPDX-License-Identifier: MIT
/*
 * What a call about a range of memory answers, and what it leaves behind, if one page of the range
 * is impossible for it: not accessible, locked, sealed, beyond a limit, or of another kind.
 */
#include "midway.h"
#include <linux/capability.h>

#ifndef MS_INVALIDATE
#define MS_INVALIDATE 2
#endif

STEP_SYMBOLS(ASK);

enum {
	SYS_MSEAL = 462,        /* since 6.10 */
	CHECK_WPASYNC = 1 << 1, /* PM_SCAN_CHECK_WPASYNC of <linux/fs.h> */
};

static int file = -1;
static int uffd = -1;
static char *moved_to;

/* ---- elements ---- */

static bool shared(void)
{
	file = midway_memfd();
	return file >= 0 && midway_map(PROT_READ | PROT_WRITE, MAP_SHARED, file);
}

static bool shared_written(void)
{
	if (!shared())
		return false;
	midway_fill(place);
	return true;
}

/* Neighbours differ in a flag, so that each page is a mapping. */
static bool keep_apart(void)
{
	for (int i = 0; i < ELEMENTS; i += 2)
		if (madvise(at(i), page, MADV_DONTDUMP))
			return false;
	return true;
}

static bool read_only_apart(void)
{
	return midway_map(PROT_READ, MAP_PRIVATE, -1) && keep_apart();
}

static bool written_apart(void)
{
	return midway_written() && keep_apart();
}

static bool written_read_only(void)
{
	return midway_written() && !mprotect(place, ELEMENTS * page, PROT_READ);
}

/* One page is locked already: a limit of 0 is another error, EPERM. */
static bool untouched_with_limit(void)
{
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	void *one = workload_try_map(page, PROT_READ, MAP_PRIVATE, -1);

	return one && !setrlimit(RLIMIT_MEMLOCK, &none) && !mlock(one, page) &&
	       midway_untouched() && !workload_set_capability(CAP_IPC_LOCK, false);
}

static uint64_t entry_of(int i)
{
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = workload_entry(pagemap, at(i), page);

	close(pagemap);
	return entry;
}

static bool is_swapped(int i)
{
	return entry_of(i) & PAGEMAP_SWAP;
}

/* Only a machine with swap can page out. */
static bool written_with_swap(void)
{
	if (!midway_written() || madvise(place, page, MADV_PAGEOUT) || !is_swapped(0))
		return false;
	return midway_written();
}

/* PM_SCAN_CHECK_WPASYNC wants all pages watched like this. */
static bool written_and_watched(void)
{
	uffd = workload_open_userfaultfd(UFFD_FEATURE_WP_ASYNC);
	return uffd >= 0 && midway_written() &&
	       !workload_register_userfaultfd(uffd, place, ELEMENTS * page,
					      UFFDIO_REGISTER_MODE_WP);
}

/* A process without CAP_IPC_LOCK may not lock all its memory. */
static bool untouched_and_may_lock_all(void)
{
	return !mlockall(MCL_CURRENT) && !munlockall() && midway_untouched();
}

/* ---- a page that is impossible ---- */

static bool read_only(int i)
{
	return !mprotect(at(i), page, PROT_READ);
}

static bool beyond_end(int i)
{
	return !ftruncate(file, (off_t)((size_t)i * page));
}

static bool guarded(int i)
{
	return !madvise(at(i), page, MADV_GUARD_INSTALL);
}

static bool private_page(int i)
{
	if (mmap(at(i), page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) != at(i))
		return false;
	*at(i) = 1;
	return true;
}

static bool shared_page(int i)
{
	return mmap(at(i), page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) == at(i);
}

/* A shared mapping of a file that was opened for reading only. */
static bool shared_of_reader(int i)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", midway_memfd());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && mmap(at(i), page, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) == at(i);
}

static bool sealed(int i)
{
	return !syscall(SYS_MSEAL, at(i), page, 0UL);
}

/* ---- limits, with room for i of the pages ---- */

static bool limit(int resource, int64_t pages)
{
	struct rlimit l;

	if (getrlimit(resource, &l))
		return false;
	l.rlim_cur = (rlim_t)pages * page;
	return !setrlimit(resource, &l);
}

static bool lock_limit(int i)
{
	return limit(RLIMIT_MEMLOCK, 1 + i);
}

static bool data_limit(int i)
{
	return limit(RLIMIT_DATA, workload_status_pages(midway_workload, "VmData") + i);
}

/* ---- calls ---- */

static long lock(void)
{
	return mlock(place, ELEMENTS * page);
}

static long lock_on_fault(void)
{
	return syscall(SYS_mlock2, place, ELEMENTS * page, (long)MLOCK_ONFAULT);
}

static long lock_all(void)
{
	return mlockall(MCL_CURRENT);
}

#define ADVISES(name, advice)                                   \
	static long name(void)                                  \
	{                                                       \
		return madvise(place, ELEMENTS * page, advice); \
	}
ADVISES(populate_read, MADV_POPULATE_READ)
ADVISES(populate_write, MADV_POPULATE_WRITE)
ADVISES(page_out, MADV_PAGEOUT)
ADVISES(remove_pages, MADV_REMOVE)
ADVISES(merge_pages, MADV_MERGEABLE)
ADVISES(drop, MADV_DONTNEED)
ADVISES(install_guards, MADV_GUARD_INSTALL)

static long make_writable(void)
{
	return mprotect(place, ELEMENTS * page, PROT_READ | PROT_WRITE);
}

static long make_writable_by_key(void)
{
	return syscall(SYS_pkey_mprotect, place, ELEMENTS * page, (long)(PROT_READ | PROT_WRITE),
		       -1L);
}

static long make_read_only(void)
{
	return mprotect(place, ELEMENTS * page, PROT_READ);
}

static long seal(void)
{
	return syscall(SYS_MSEAL, place, ELEMENTS * page, 0UL);
}

static long unmap(void)
{
	return munmap(place, ELEMENTS * page);
}

/* MAP_FIXED over the elements alone. */
static long map_over_elements(void)
{
	return mmap(place, ELEMENTS * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		    0) == place
		       ? 0
		       : -1;
}

static long move(void)
{
	size_t bytes = ELEMENTS * page;

	moved_to = workload_try_map(bytes, PROT_NONE, MAP_PRIVATE, -1);
	if (!moved_to)
		return -1;
	return mremap(place, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, moved_to) == moved_to
		       ? 0
		       : -1;
}

static long map_file(int how)
{
	return mmap(place, ELEMENTS * page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | how,
		    file, 0) == place
		       ? 0
		       : -1;
}

static long map_and_populate(void)
{
	return map_file(MAP_POPULATE);
}

static long map_and_lock(void)
{
	return map_file(MAP_LOCKED);
}

static long invalidate(void)
{
	return msync(place, ELEMENTS * page, MS_ASYNC | MS_INVALIDATE);
}

static long remap_file(void)
{
	return syscall(SYS_remap_file_pages, place, ELEMENTS * page, 0L, 0L, 0L);
}

static bool watched(int i)
{
	uffd = workload_open_userfaultfd(0);
	return uffd >= 0 &&
	       !workload_register_userfaultfd(uffd, at(i), page, UFFDIO_REGISTER_MODE_WP);
}

static long watch_all(void)
{
	uffd = workload_open_userfaultfd(0);
	return uffd < 0 ? uffd
			: workload_register_userfaultfd(uffd, place, ELEMENTS * page,
							UFFDIO_REGISTER_MODE_MISSING);
}

static bool no_longer_watched(int i)
{
	struct uffdio_range range = { (uintptr_t)at(i), page };

	return !ioctl(uffd, UFFDIO_UNREGISTER, &range);
}

static long scan_and_protect(void)
{
	struct scan_region regions[ELEMENTS];
	struct scan_arg arg = { SCAN_OF(place, ELEMENTS * page, regions, ELEMENTS),
				.flags = PM_SCAN_WP_MATCHING | CHECK_WPASYNC,
				.category_mask = SCAN_WRITTEN, .return_mask = SCAN_WRITTEN };
	int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	return ioctl(pagemap, SCAN_IOCTL, &arg) < 0 ? -1 : 0;
}

/* Userfaultfd watches no files of a file system like that of the program. */
static bool page_of_program(int i)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	return fd >= 0 && mmap(at(i), page, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == at(i);
}

/* ---- effects ---- */

/* Is this a flag of the page's mapping in VmFlags? A hole has none. */
static bool has_flag(const char *p, const char *flag)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	unsigned long from = 0, to = 0, x, y;
	bool has = false;
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &x, &y) == 2) {
			from = x;
			to = y;
		}
		if (!strncmp(line, "VmFlags:", 8) && (uintptr_t)p - from < to - from)
			has = strstr(line, flag);
	}
	if (f)
		fclose(f);
	return has;
}

static bool is_locked(int i)
{
	return has_flag(at(i), " lo");
}

static bool is_mergeable(int i)
{
	return has_flag(at(i), " mg");
}

static bool is_writable(int i)
{
	return has_flag(at(i), " wr");
}

static bool is_not_writable(int i)
{
	return !is_writable(i);
}

static bool is_unmapped(int i)
{
	return !has_flag(at(i), " mr");
}

static bool is_watched(int i)
{
	return has_flag(at(i), " um");
}

static bool is_protected(int i)
{
	return entry_of(i) & PAGEMAP_UFFD_WP;
}

static bool is_sealed(int i)
{
	return mprotect(at(i), page, PROT_READ) && errno == EPERM;
}

static bool is_moved(int i)
{
	return has_flag(moved_to + (size_t)i * page, " rd");
}

/* clang-format off */
static const struct midway rows[] = {
	{ ROW("mlock, no access: pages", midway_untouched, midway_no_access, lock, midway_present), LAW(STOPS, ENOMEM) },
	{ ROW("mlock, no access: VM_LOCKED", midway_untouched, midway_no_access, lock, is_locked), LAW(DOES_ALL, ENOMEM) },
	{ ROW("mlock, end of file: pages", shared, beyond_end, lock, midway_present), LAW(STOPS, ENOMEM) },
	{ ROW("mlock, end of file: VM_LOCKED", shared, beyond_end, lock, is_locked), LAW(DOES_ALL, ENOMEM) },
	{ ROW("mlock, guard page", midway_untouched, guarded, lock, midway_present), LAW(STOPS, ENOMEM) },
	{ ROW("mlock2 on fault, no access", midway_untouched, midway_no_access, lock_on_fault, is_locked),
	  DIFFERS("midway.mlock_on_fault", { SUCCEEDS, 0, "works" }, { DOES_ALL, ENOMEM, "fails with ENOMEM" }) },
	{ ROW("mlockall, no access", untouched_and_may_lock_all, midway_no_access, lock_all, midway_present), LAW(IGNORES, 0) },
	{ ROW("mlockall, no access: VM_LOCKED", untouched_and_may_lock_all, midway_no_access, lock_all, is_locked), LAW(SUCCEEDS, 0) },
	{ ROW("mlock, RLIMIT_MEMLOCK", untouched_with_limit, lock_limit, lock, is_locked), LAW(REFUSES, ENOMEM) },
	{ ROW("mlockall, RLIMIT_MEMLOCK", untouched_with_limit, lock_limit, lock_all, is_locked), LAW(REFUSES, ENOMEM) },

	{ ROW("mmap MAP_LOCKED, end of file", shared, beyond_end, map_and_lock, midway_present), LAW(ENDS, 0) },
	{ ROW("mmap MAP_LOCKED, end of file: VM_LOCKED", shared, beyond_end, map_and_lock, is_locked), LAW(SUCCEEDS, 0) },
	{ ROW("mmap MAP_POPULATE, end of file", shared, beyond_end, map_and_populate, midway_present), LAW(ENDS, 0) },

	{ ROW("MADV_POPULATE_READ, no access", midway_untouched, midway_no_access, populate_read, midway_present), LAW(STOPS, EINVAL) },
	{ ROW("MADV_POPULATE_WRITE, read-only", midway_untouched, read_only, populate_write, midway_present), LAW(STOPS, EINVAL) },
	{ ROW("MADV_POPULATE_READ, end of file", shared, beyond_end, populate_read, midway_present), LAW(STOPS, EFAULT) },
	{ ROW("MADV_POPULATE_WRITE, end of file", shared, beyond_end, populate_write, midway_present), LAW(STOPS, EFAULT) },
	{ ROW("MADV_POPULATE_WRITE, guard page", midway_untouched, guarded, populate_write, midway_present), LAW(STOPS, EFAULT) },
	{ ROW("MADV_PAGEOUT, locked", written_with_swap, midway_locked, page_out, is_swapped), LAW(STOPS, EINVAL) },
	{ ROW("MADV_REMOVE, private", shared_written, private_page, remove_pages, midway_absent), LAW(STOPS, EACCES) },
	{ ROW("MADV_REMOVE, locked", shared_written, midway_locked, remove_pages, midway_absent), LAW(STOPS, EINVAL) },
	{ ROW("MADV_MERGEABLE, shared", midway_written, shared_page, merge_pages, is_mergeable), LAW(IGNORES, 0) },
	{ ROW("MADV_GUARD_INSTALL, locked", midway_written, midway_locked, install_guards, midway_absent), LAW(STOPS, EINVAL) },

	{ ROW("mprotect, file of a reader", read_only_apart, shared_of_reader, make_writable, is_writable), LAW(STOPS, EACCES) },
	{ ROW("pkey_mprotect, file of a reader", read_only_apart, shared_of_reader, make_writable_by_key, is_writable), LAW(STOPS, EACCES) },
	{ ROW("mprotect, RLIMIT_DATA", read_only_apart, data_limit, make_writable, is_writable), LAW(STOPS, ENOMEM) },

	{ ROW("mprotect, sealed", written_apart, sealed, make_read_only, is_not_writable),
	  DIFFERS("midway.mprotect_sealed", { STOPS, EPERM, "stops there" }, { REFUSES, EPERM, "is refused" }) },
	{ ROW("MADV_DONTNEED, sealed", written_read_only, sealed, drop, midway_absent),
	  DIFFERS("midway.dontneed_sealed", { STOPS, EPERM, "stops there" }, { REFUSES, EPERM, "is refused" }) },
	{ ROW("munmap, sealed", midway_written, sealed, unmap, is_unmapped), LAW(REFUSES, EPERM) },
	{ ROW("mmap over it, sealed", midway_written, sealed, map_over_elements, is_not_writable), LAW(REFUSES, EPERM) },
	{ ROW("mseal, hole", midway_written, midway_hole, seal, is_sealed), LAW(REFUSES, ENOMEM) },
	{ ROW("mremap of mappings, hole", written_apart, midway_hole, move, is_moved), LAW(IGNORES_LATER, EFAULT) },
	{ ROW("mremap of mappings, sealed", written_apart, sealed, move, is_moved), LAW(STOPS, EPERM) },
	{ ROW("mremap of mappings, watched", written_apart, watched, move, is_moved), LAW(STOPS, EFAULT) },

	{ ROW("msync MS_INVALIDATE, locked", shared_written, midway_locked, invalidate, NULL), LAW(STOPS, EBUSY) },
	{ ROW("remap_file_pages, private", shared_written, private_page, remap_file, NULL), LAW(REFUSES, EINVAL) },
	{ ROW("UFFDIO_REGISTER, file", midway_untouched, page_of_program, watch_all, is_watched), LAW(REFUSES, EINVAL) },
	{ ROW("UFFDIO_REGISTER, registered", midway_untouched, watched, watch_all, is_watched), LAW(REFUSES, EBUSY) },
	{ ROW("UFFDIO_REGISTER, hole", midway_untouched, midway_hole, watch_all, is_watched), LAW(IGNORES, 0) },
	{ ROW("PAGEMAP_SCAN that protects, not watched", written_and_watched, no_longer_watched, scan_and_protect, is_protected), LAW(STOPS, EPERM) },
};
/* clang-format on */

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static void ask(struct workload *w)
{
	midway_report(w, rows, ROWS);
}

static void judge(const struct trial *t, struct judgement *j)
{
	midway_judge(t, j, ASK, rows, ROWS);
}

CASE(virtual_midway) {
	.claim =
		"If one page of a range is impossible, mlock(2) locks all the range, but faults in only the pages before this one, and fails; madvise(2), mprotect(2) and PAGEMAP_SCAN stop there, and what is before it is done; mmap(2) over it, munmap(2), mseal(2), UFFDIO_REGISTER, and locks beyond RLIMIT_MEMLOCK are refused as a whole",
	.because =
		"apply_vma_lock_flags() marks all mappings before __mm_populate() touches a page, and mlock(2) undoes nothing. madvise_walk_vmas() and do_mprotect_pkey() check each mapping when they come to it, the others check all of them first.",
	.said_by = SAID_BY("mlock(2), RETURN VALUE", "mlockall(2)", "madvise(2)", "mprotect(2)",
			   "msync(2)", "mseal(2)", "mremap(2)"),
	.limit_s = 120,
	.steps = STEPS(STEP_AS(ASK, "each call, each place", ask, .checks = 1)),
	.facts = FACTS(FACT("midway.mprotect_sealed",
			    "mprotect(2) of mappings of which one is sealed",
			    "stops there|is refused"),
		       FACT("midway.mlock_on_fault",
			    "mlock2(MLOCK_ONFAULT) of memory with a page that is not accessible",
			    "works|fails with ENOMEM"),
		       FACT("midway.dontneed_sealed",
			    "MADV_DONTNEED of read-only memory of which a page is sealed",
			    "stops there|is refused")),
	.judge = judge,
};
