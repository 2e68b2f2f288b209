// SPDX-License-Identifier: MIT
/*
 * The loads of machine/ledger. A load runs in its own process, allocates memory of one kind in one
 * way, and returns the memory or the number of pages. The memory is freed when the process ends.
 */
#ifndef CASES_MACHINE_LOADS_H
#define CASES_MACHINE_LOADS_H

#include "generations.h"
#include "ledger.h"
#include "migrate.h"
#include "segment.h"
#include <arpa/inet.h>
#include <linux/sock_diag.h>
#include <rssck/panics.h>
#include <sched.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/swap.h>
#include <sys/uio.h>

#define NUMA_STAT "/proc/sys/vm/numa_stat"

enum {
	LOAD_FILE = 0, /* w->fd: a file of w->number[LOAD_PAGES] pages, or -1 */
	LOAD_PAGES = 0,
	LOAD_PROCESSES = 64,
	LOAD_HUGETLB = 4,
	LOAD_STRICT = 1,    /* MPOL_MF_STRICT: fails if a page does not move */
	LOAD_BIND = 2,      /* MPOL_BIND */
	LOAD_POPULATE = 23, /* MADV_POPULATE_WRITE, which returns an error instead of SIGBUS */
	LOAD_COLLAPSE = 25,
	LOAD_MEMINFO = 55, /* SO_MEMINFO */
	LOAD_DATAGRAM = 32 << 10,
};

static inline size_t load_pages(const struct workload *w)
{
	return (size_t)w->number[LOAD_PAGES];
}

static inline size_t load_bytes(const struct workload *w)
{
	return load_pages(w) * w->page_size;
}

static inline bool load_write(const struct workload *w, char *p)
{
	touch_write(w, p, load_pages(w));
	return true;
}

static inline bool load_read(const struct workload *w, char *p)
{
	touch_read(w, p, load_pages(w));
	return true;
}

/* Maps the file, or anonymous memory if fd is negative, without huge pages. */
static inline char *load_map(const struct workload *w, int fd, int flags)
{
	char *p = workload_try_map(load_bytes(w), PROT_READ | PROT_WRITE, flags, fd);

	if (p)
		syscall(SYS_madvise, p, load_bytes(w), MADV_NOHUGEPAGE);
	return p;
}

static inline char *load_anonymous(const struct workload *w)
{
	char *p = load_map(w, -1, MAP_PRIVATE);

	if (p)
		load_write(w, p);
	return p;
}

/* Returns the pages of a load that is done, else -errno. */
static inline int64_t load_done(const struct workload *w, bool done)
{
	return done ? (int64_t)load_pages(w) : -errno;
}

static inline bool load_migrate(const struct workload *w, char *p)
{
	return migrate_there_and_back(w, p, load_pages(w));
}

static inline bool load_zero(const struct workload *w, char *p)
{
	memset(p, 0, load_bytes(w));
	return true;
}

static inline bool load_has_swap(const struct workload *w)
{
	int64_t room = workload_number("/proc/meminfo", "SwapFree", 0) * 1024;

	errno = ENOSPC;
	return room >= 2 * (int64_t)load_bytes(w);
}

static inline bool load_page_out(const struct workload *w, char *p)
{
	return load_has_swap(w) && syscall(SYS_madvise, p, load_bytes(w), MADV_PAGEOUT) == 0;
}

static inline bool load_remap(const struct workload *w, char *p)
{
	char *to = workload_try_map(load_bytes(w), PROT_NONE, MAP_PRIVATE, -1);

	return to &&
	       mremap(p, load_bytes(w), load_bytes(w), MREMAP_MAYMOVE | MREMAP_FIXED, to) == to;
}

/* Forks a child that writes pages and stops; it lives as long as this process. */
static inline bool load_copy_by(const struct workload *w, char *p,
				bool (*write)(const struct workload *, char *))
{
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		write(w, p);
		raise(SIGSTOP);
		_exit(0);
	}
	return pid > 0 && waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status);
}

static inline _Noreturn void load_wait_for_death(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	for (;;)
		pause();
}

static inline bool load_copy(const struct workload *w, char *p)
{
	return load_copy_by(w, p, load_write);
}

static inline bool load_collapse(const struct workload *w, char *p)
{
	return syscall(SYS_madvise, p, load_bytes(w), LOAD_COLLAPSE) == 0;
}

static inline bool load_bind(const struct workload *w, char *p)
{
	int away = migrate_goal(w, p, load_pages(w));
	unsigned long nodes[] = { 1UL << away, 1UL << !away };

	for (int i = 0; i < 2; i++)
		if (syscall(SYS_mbind, p, load_bytes(w), LOAD_BIND, &nodes[i], sizeof(*nodes) * 8,
			    MPOL_MF_MOVE | LOAD_STRICT))
			return false;
	return true;
}

static inline bool load_lock(const struct workload *w, char *p)
{
	return mlock(p, load_bytes(w)) == 0;
}

static inline bool load_lock_on_fault(const struct workload *w, char *p)
{
	return syscall(SYS_mlock2, p, load_bytes(w), 1) == 0;
}

static inline bool load_unlock(const struct workload *w, char *p)
{
	return munlock(p, load_bytes(w)) == 0;
}

static inline bool load_free(const struct workload *w, char *p)
{
	return syscall(SYS_madvise, p, load_bytes(w), MADV_FREE) == 0;
}

/* The swap area that loads turn off, and its flags; without a name, the first active swap area. */
static struct {
	char name[128];
	int flags;
} load_area;

/* Turns swap off and on, so that swapoff(2) reads the pages back. */
static inline bool load_swap_off(const struct workload *w, char *p)
{
	char area[128];

	(void)w, (void)p;
	if (load_area.name[0])
		snprintf(area, sizeof(area), "%s", load_area.name);
	else if (!workload_swap_area(area, sizeof(area)))
		return false;
	return swapoff(area) == 0 && swapon(area, load_area.flags) == 0;
}

/* ---- anonymous memory ---- */

/* Returns the entries of pagemap of a load, which the caller frees; NULL on failure. */
static inline uint64_t *load_entries(const struct workload *w, const char *p)
{
	uint64_t *entries = calloc(load_pages(w), sizeof(*entries));
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	if (entries && fd >= 0)
		pagemap_entries(fd, (long)w->page_size, (uintptr_t)p, (uintptr_t)p + load_bytes(w),
				entries);
	close(fd);
	return entries;
}

/* Returns how many pages of a load have this bit of pagemap. */
static inline int64_t load_marked(const struct workload *w, const char *p, uint64_t bit)
{
	uint64_t *entries = load_entries(w, p);
	int64_t n = 0;

	for (size_t i = 0; entries && i < load_pages(w); i++)
		n += !!(entries[i] & bit);
	free(entries);
	return n;
}

/* Returns the page's entry of pagemap; 0 if it cannot be read. */
static inline uint64_t load_entry(const struct workload *w, const char *p)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	pagemap_entries(fd, (long)w->page_size, (uintptr_t)p, (uintptr_t)p + w->page_size, &entry);
	close(fd);
	return entry;
}

static inline bool is_in_swap_cache(const struct workload *w, const char *p)
{
	enum { SWAPCACHE = 13 }; /* KPF_SWAPCACHE */
	int of = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC);
	uint64_t pfn = PAGEMAP_PFN(load_entry(w, p)), flags = 0;

	if (!pfn || pread(of, &flags, 8, (off_t)(pfn * 8)) != 8)
		flags = 0;
	close(of);
	return flags >> SWAPCACHE & 1;
}

/*
 * Returns pages that are mapped and in the swap cache, or NULL. They stay there because a child has
 * their swap entries, too, until this process ends.
 */
static inline char *swap_cached(const struct workload *w)
{
	char *p = load_anonymous(w);
	pid_t pid;

	if (!p || !load_page_out(w, p))
		return NULL;
	pid = fork();
	if (!pid)
		load_wait_for_death();
	load_read(w, p);
	return pid > 0 && is_in_swap_cache(w, p) ? p : NULL;
}

static inline char *load_untouched(const struct workload *w)
{
	return load_map(w, -1, MAP_PRIVATE);
}

/*
 * Lets process_vm_readv(2) pin the pages that it reads for the duration of the call
 * (pin_user_pages_remote()).
 */
static inline int64_t anon_pinned(const struct workload *w)
{
	char *from = load_anonymous(w), *to = load_anonymous(w);
	struct iovec of[2] = { { from, load_bytes(w) }, { to, load_bytes(w) } };

	return from && to && process_vm_readv(getpid(), &of[1], 1, &of[0], 1, 0) > 0
		       ? 2 * load_done(w, to)
		       : -errno;
}

#define BALANCING     "/proc/sys/kernel/numa_balancing"
#define BALANCING_DIR "/sys/kernel/debug/sched/numa_balancing/"

/*
 * Moves its memory away from the CPU's node, and reads the memory until NUMA balancing has moved it
 * back. `stays`, unless it is NULL, must then return true.
 */
static inline _Noreturn void be_balanced(const struct workload *w,
					 char *(*take)(const struct workload *w),
					 bool (*stays)(const struct workload *w, char *p))
{
	enum { READS = 100, LOOKS = 300 };
	size_t pages = load_pages(w), back = 0;
	char *memory = take(w);
	unsigned cpu, node;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	/* The kernel does not scan memory with MPOL_LOCAL, the policy of the workload. */
	syscall(SYS_set_mempolicy, MPOL_DEFAULT, NULL, 0UL);
	if (!memory || getcpu(&cpu, &node) || node > 1 ||
	    migrate_to(w, memory, pages, !node, MPOL_MF_MOVE) != pages)
		_exit(1);
	for (int i = 0; i < LOOKS && back != pages; i++) {
		for (int k = 0; k < READS; k++)
			load_read(w, memory);
		back = migrate_to(w, memory, pages, (int)node, 0);
	}
	if (back != pages || (stays && !stays(w, memory)))
		_exit(1);
	raise(SIGSTOP);
	_exit(0);
}

/*
 * Uses a new process, because the kernel waits longer before it scans an old one. With a small
 * scan_size_mb it repeats a scan sooner.
 */
static inline int64_t load_balanced(const struct workload *w,
				    char *(*take)(const struct workload *w),
				    bool (*stays)(const struct workload *w, char *p))
{
	static const struct {
		const char *path;
		int64_t value;
	} knobs[] = { { BALANCING_DIR "scan_delay_ms", 1 },
		      { BALANCING_DIR "scan_period_min_ms", 1 },
		      { BALANCING_DIR "scan_size_mb", 16 },
		      { BALANCING, 1 } };
	enum { KNOBS = sizeof(knobs) / sizeof(*knobs) };
	int64_t was[KNOBS];
	int status = 0;
	pid_t pid;

	for (size_t i = 0; i < KNOBS; i++) {
		was[i] = workload_number(knobs[i].path, NULL, -1);
		if (was[i] < 0)
			return -ENOENT;
	}
	for (size_t i = 0; i < KNOBS; i++)
		workload_try_to_set_number(knobs[i].path, knobs[i].value);
	pid = fork();
	if (!pid)
		be_balanced(w, take, stays);
	if (pid > 0)
		waitpid(pid, &status, WUNTRACED);
	for (size_t i = 0; i < KNOBS; i++)
		workload_try_to_set_number(knobs[i].path, was[i]);
	return WIFSTOPPED(status) ? (int64_t)load_pages(w) : -ENOENT;
}

static inline int64_t anon_balanced(const struct workload *w)
{
	return load_balanced(w, load_anonymous, NULL);
}

#define ZSWAP "/sys/module/zswap/parameters/enabled"

/*
 * Returns the sum of Zswapped in meminfo and zswapped in memory.stat, which changes even if only
 * one of the lines does; -1 if meminfo has no Zswapped.
 */
static inline int64_t compressed_now(void)
{
	int64_t of_machine = workload_number("/proc/meminfo", "Zswapped", -1);

	return of_machine < 0 ? -1 : of_machine + ledger_number("memory.stat", "zswapped");
}

/*
 * Pages out with zswap on, if the kernel has it. The pages stay compressed after zswap is turned
 * off again.
 */
static inline int64_t load_compress(const struct workload *w, char *p)
{
	int64_t pages = -1, before = compressed_now();
	char was[4];

	workload_read_text(ZSWAP, was, sizeof(was));
	if (before < 0 || !was[0] || !workload_try_to_set(ZSWAP, "Y"))
		return -ENOENT;
	if (p && load_page_out(w, p))
		pages = load_done(w, p);
	workload_try_to_set(ZSWAP, was);
	return compressed_now() > before ? pages : -ENOENT;
}

static inline int64_t anon_compressed(const struct workload *w)
{
	return load_compress(w, load_anonymous(w));
}

/* ---- huge pages ---- */

static inline char *huge_map(const struct workload *w, int fd)
{
	size_t huge = w->huge_page_size;
	char *p;

	if (!huge || load_bytes(w) % huge) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	p = workload_try_aligned_map(load_bytes(w), huge, fd);
	if (p)
		syscall(SYS_madvise, p, load_bytes(w), MADV_HUGEPAGE);
	return p;
}

/*
 * Returns true if smaps_rollup shows at least the size of a load in huge pages. Huge pages may be
 * forbidden, or memory fragmented.
 */
static inline bool is_huge(const struct workload *w, const char *field)
{
	if (workload_number("/proc/self/smaps_rollup", field, 0) * 1024 >= (int64_t)load_bytes(w))
		return true;
	errno = ENOMEM;
	return false;
}

static inline char *huge_anon(const struct workload *w)
{
	char *p = huge_map(w, -1);

	if (p)
		load_write(w, p);
	return p && is_huge(w, "AnonHugePages") ? p : NULL;
}

static inline bool thp_stays(const struct workload *w, char *unused)
{
	(void)unused;
	return is_huge(w, "AnonHugePages");
}

static inline bool thp_split(const struct workload *w, char *p)
{
	for (size_t at = 0; at < load_bytes(w); at += w->huge_page_size)
		munmap(p + at, w->page_size);
	return true;
}

/* Returns the number of anonymous folios of PMD size; -1 if the kernel does not count them. */
static inline int64_t thp_anon_folios(const struct workload *w)
{
	char path[LEDGER_PATH];

	return workload_number(ledger_size_path(w->huge_page_size, "stats/nr_anon", path), NULL,
			       -1);
}

static inline int64_t thp_collapsed(const struct workload *w)
{
	char *p = huge_map(w, -1);

	if (!p)
		return -errno;
	syscall(SYS_madvise, p, load_bytes(w), MADV_NOHUGEPAGE);
	load_write(w, p);
	syscall(SYS_madvise, p, load_bytes(w), MADV_HUGEPAGE);
	return load_done(w, load_collapse(w, p));
}

/* ---- shmem ---- */

static inline int shmem_file(const struct workload *w)
{
	int fd = memfd_create("load", MFD_CLOEXEC);

	return fd >= 0 && ftruncate(fd, (off_t)load_bytes(w)) ? -1 : fd;
}

static inline bool fill(const struct workload *w, int fd)
{
	for (size_t at = 0; at < load_bytes(w); at += WORKLOAD_BUFFER)
		if (pwrite(fd, workload_buffer, WORKLOAD_BUFFER, (off_t)at) < 0)
			return false;
	return true;
}

static inline int64_t shmem_unmapped(const struct workload *w)
{
	int fd = shmem_file(w);

	return load_done(w, fd >= 0 && fill(w, fd));
}

static inline char *shmem_map_untouched(const struct workload *w)
{
	int fd = shmem_file(w);

	return fd < 0 ? NULL : load_map(w, fd, MAP_SHARED);
}

static inline char *shmem_map(const struct workload *w)
{
	char *p = shmem_map_untouched(w);

	if (p)
		load_write(w, p);
	return p;
}

static inline char *load_segment(const struct workload *w)
{
	return segment_map_locked(w, load_bytes(w));
}

static inline bool load_segment_unlock(const struct workload *w, char *p)
{
	(void)w, (void)p;
	return segment_unlock();
}

static inline int64_t shmem_punched(const struct workload *w)
{
	int fd = shmem_file(w);

	return load_done(w, fd >= 0 && fill(w, fd) && !ftruncate(fd, 0) &&
				    !ftruncate(fd, (off_t)load_bytes(w)) && fill(w, fd) &&
				    !fallocate(fd, 3, 0, (off_t)load_bytes(w)) && fill(w, fd));
}

static inline int shmem_huge_file(const struct workload *w)
{
	int fd;

	if (!w->huge_page_size || load_bytes(w) % w->huge_page_size) {
		errno = EOPNOTSUPP;
		return -1;
	}
	fd = workload_tmpfs_file("huge=always");
	return fd >= 0 && ftruncate(fd, (off_t)load_bytes(w)) ? -1 : fd;
}

static inline char *shmem_huge_map_untouched(const struct workload *w)
{
	int fd = shmem_huge_file(w);

	return fd < 0 ? NULL : huge_map(w, fd);
}

static inline char *shmem_huge_map(const struct workload *w)
{
	char *p = shmem_huge_map_untouched(w);

	if (p)
		load_write(w, p);
	return p && is_huge(w, "ShmemPmdMapped") ? p : NULL;
}

/*
 * Opens a file of huge pages that nobody maps; -1 on failure. Faults the pages in, because 6.16 and
 * 6.17 make a folio of the size of each write(2).
 */
static inline int shmem_huge_unmapped(const struct workload *w)
{
	int fd = shmem_huge_file(w);
	char *p = fd < 0 ? NULL : huge_map(w, fd);

	if (!p || !load_write(w, p) || !is_huge(w, "ShmemPmdMapped"))
		return -1;
	munmap(p, load_bytes(w));
	return fd;
}

static inline int64_t shmem_huge_split(const struct workload *w)
{
	int fd = shmem_huge_unmapped(w);

	if (fd < 0)
		return -errno;
	for (size_t at = 0; at < load_bytes(w); at += w->huge_page_size)
		if (fallocate(fd, 3, (off_t)at, (off_t)w->page_size))
			return -errno;
	return (int64_t)load_pages(w);
}

static inline int64_t shmem_huge_cut(const struct workload *w)
{
	int fd = shmem_huge_unmapped(w);
	off_t cut = (off_t)(load_bytes(w) - w->huge_page_size / 2);

	if (fd < 0 || ftruncate(fd, cut) || ftruncate(fd, (off_t)load_bytes(w)))
		return -errno;
	for (off_t at = cut; at < (off_t)load_bytes(w); at += (off_t)w->page_size)
		if (pwrite(fd, "1", 1, at) != 1)
			return -errno;
	return (int64_t)load_pages(w);
}

static inline int64_t shmem_collapsed(const struct workload *w)
{
	int fd = shmem_file(w);
	char *p = fd >= 0 ? huge_map(w, fd) : NULL;

	if (!p)
		return -errno;
	for (size_t at = 0; at < load_bytes(w); at += 2 * w->page_size)
		if (pwrite(fd, "1", 1, (off_t)at) != 1)
			return -errno;
	return load_done(w, load_collapse(w, p));
}

/* ---- files ---- */

static inline int64_t file_read(const struct workload *w)
{
	int fd = w->fd[LOAD_FILE];

	for (size_t at = 0; at < load_bytes(w); at += WORKLOAD_BUFFER)
		if (pread(fd, workload_buffer, WORKLOAD_BUFFER, (off_t)at) < 0)
			return -errno;
	return (int64_t)load_pages(w);
}

static inline char *file_map_as(const struct workload *w, int flags)
{
	errno = ENOENT;
	return w->fd[LOAD_FILE] < 0 ? NULL : load_map(w, w->fd[LOAD_FILE], flags);
}

static inline char *file_map_untouched(const struct workload *w)
{
	return file_map_as(w, MAP_SHARED);
}

static inline char *file_map(const struct workload *w)
{
	char *p = file_map_untouched(w);

	if (p)
		load_read(w, p);
	return p;
}

/* POSIX_FADV_DONTNEED keeps mapped pages in the page cache. */
static inline bool load_deactivate(const struct workload *w, char *p)
{
	(void)p;
	return posix_fadvise(w->fd[LOAD_FILE], 0, 0, POSIX_FADV_DONTNEED) == 0;
}

static inline int64_t file_sent(const struct workload *w)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	off_t at = 0;

	while (at < (off_t)load_bytes(w))
		if (sendfile(null, w->fd[LOAD_FILE], &at, load_bytes(w)) <= 0)
			return -errno;
	return (int64_t)load_pages(w);
}

static inline char *file_map_private(const struct workload *w)
{
	return file_map_as(w, MAP_PRIVATE);
}

static inline int64_t file_written(const struct workload *w)
{
	return load_done(w, fill(w, w->fd[LOAD_FILE]));
}

static inline int64_t file_synced(const struct workload *w)
{
	return load_done(w, fill(w, w->fd[LOAD_FILE]) && fsync(w->fd[LOAD_FILE]) == 0);
}

/* POSIX_FADV_DONTNEED keeps pages under writeback in the page cache. */
static inline int64_t file_written_and_dropped(const struct workload *w)
{
	int fd = w->fd[LOAD_FILE];

	return load_done(w, fill(w, fd) && !posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED));
}

static inline int64_t file_truncated(const struct workload *w)
{
	int fd = w->fd[LOAD_FILE];

	return load_done(w,
			 fill(w, fd) && !ftruncate(fd, 0) && !ftruncate(fd, (off_t)load_bytes(w)));
}

/* ---- reclaim: the cgroup's memory is paged out and read back ---- */

static inline bool reclaim(const struct workload *w)
{
	char path[LEDGER_PATH];

	ledger_path("memory.reclaim", path);
	if (workload_try_to_set_number(path, 2 * (int64_t)load_bytes(w)) || errno == EAGAIN)
		return true;
	return workload_try_to_set(ledger_path("memory.force_empty", path), "0"); /* cgroup v1 */
}

static inline int64_t file_reclaimed(const struct workload *w)
{
	int64_t pages = file_read(w);

	if (pages < 0 || !reclaim(w))
		return -errno;
	return file_read(w);
}

/* With vm.swappiness 0 only page cache is reclaimed (get_scan_count()). */
static inline int64_t anon_reclaimed(const struct workload *w)
{
	bool pages_out = load_has_swap(w) && workload_number("/proc/sys/vm/swappiness", NULL, 1);
	char *p = pages_out ? load_anonymous(w) : NULL;

	if (!p || !reclaim(w))
		return -errno;
	load_write(w, p);
	return load_done(w, p);
}

/*
 * Reads the file three times. With active and inactive lists its pages become active, because they
 * are in the page cache from the second time on.
 */
static inline int64_t file_used(const struct workload *w)
{
	for (int i = 0; i < 2; i++)
		if (file_read(w) < 0)
			return -errno;
	return file_read(w);
}

/* ---- limits of the cgroup ---- */

static inline bool set_limit(const char *file, const char *value)
{
	char path[LEDGER_PATH];

	if ((!strcmp(file, "memory.max") || !strcmp(file, "memory.limit_in_bytes")) &&
	    workload_oom_panics())
		return false;
	return workload_try_to_set(ledger_path(file, path), value);
}

/* Sets a limit so low that half of the file must be reclaimed to read the rest. */
static inline int64_t file_beyond(const struct workload *w, const char *usage, const char *limit,
				  const char *none)
{
	int64_t now = ledger_number(usage, NULL), pages;
	char value[24];

	snprintf(value, sizeof(value), "%" PRId64, now + (int64_t)load_bytes(w) / 2);
	if (now < 0 || !set_limit(limit, value))
		return -ENOENT;
	pages = file_read(w);
	set_limit(limit, none);
	return pages;
}

static inline int64_t file_beyond_max(const struct workload *w)
{
	return file_beyond(w, "memory.current", "memory.max", "max");
}

static inline int64_t file_beyond_high(const struct workload *w)
{
	return file_beyond(w, "memory.current", "memory.high", "max");
}

static inline int64_t swap_beyond_max(const struct workload *w)
{
	char *p = load_anonymous(w);
	bool done;

	if (!p || !set_limit("memory.swap.max", "0"))
		return -ENOENT;
	done = load_page_out(w, p);
	set_limit("memory.swap.max", "max");
	return done ? load_done(w, p) : -ENOENT;
}

/* ---- hugetlb: LOAD_HUGETLB pages of the pool are free ---- */

static inline char *pool_map(int64_t pages, int flags)
{
	size_t bytes = workload_hugetlb_bytes();

	return bytes ? workload_try_map((size_t)pages * bytes, PROT_READ | PROT_WRITE,
					MAP_HUGETLB | flags, -1)
		     : NULL;
}

static inline void pool_write(char *p, int64_t pages)
{
	for (int64_t i = 0; i < pages; i++)
		p[(size_t)i * workload_hugetlb_bytes()] = 1;
}

static inline int64_t pool_reserved(const struct workload *unused)
{
	(void)unused;
	return pool_map(LOAD_HUGETLB, MAP_PRIVATE) ? LOAD_HUGETLB : -errno;
}

/* The pages are reserved, so the pool has one for each touch. */
static inline int64_t pool_use(int flags)
{
	char *p = pool_map(LOAD_HUGETLB, flags);

	if (!p)
		return -errno;
	pool_write(p, LOAD_HUGETLB);
	return LOAD_HUGETLB;
}

static inline int64_t pool_used(const struct workload *unused)
{
	(void)unused;
	return pool_use(MAP_PRIVATE);
}

static inline int64_t pool_shared(const struct workload *unused)
{
	(void)unused;
	return pool_use(MAP_SHARED);
}

static inline bool pool_write_half(const struct workload *unused, char *p)
{
	(void)unused;
	pool_write(p, LOAD_HUGETLB / 2);
	return true;
}

static inline int64_t pool_copied(const struct workload *w)
{
	char *p = pool_map(LOAD_HUGETLB / 2, MAP_PRIVATE);

	return p && pool_write_half(w, p) && load_copy_by(w, p, pool_write_half) ? LOAD_HUGETLB
										 : -ENOMEM;
}

static inline int64_t pool_unreserved(const struct workload *unused)
{
	char *p = pool_map(LOAD_HUGETLB, MAP_PRIVATE | MAP_NORESERVE);

	(void)unused;
	return p && !syscall(SYS_madvise, p, LOAD_HUGETLB * workload_hugetlb_bytes(), LOAD_POPULATE)
		       ? LOAD_HUGETLB
		       : -ENOMEM;
}

static inline int64_t pool_punched(const struct workload *unused)
{
	off_t bytes = (off_t)(LOAD_HUGETLB * workload_hugetlb_bytes());
	int fd = memfd_create("load", MFD_CLOEXEC | MFD_HUGETLB);
	char *p;

	(void)unused;
	if (fd < 0 || !bytes || ftruncate(fd, bytes))
		return -ENOMEM;
	p = workload_try_map((size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
	if (!p)
		return -errno;
	pool_write(p, LOAD_HUGETLB);
	if (fallocate(fd, 3, 0, bytes / 2))
		return -errno;
	munmap(p, (size_t)bytes);
	ftruncate(fd, 0);
	return LOAD_HUGETLB;
}

/* Migrates half of the pages to another node. Returns how many are there then. */
static inline int64_t pool_migrate(char *p)
{
	int64_t there = 0;

	for (size_t i = 0; i < LOAD_HUGETLB / 2; i++)
		there += workload_migrate_to_other(p + i * workload_hugetlb_bytes()) >= 0;
	return there;
}

static inline int64_t pool_migrated(const struct workload *unused)
{
	char *p = pool_map(LOAD_HUGETLB / 2, MAP_PRIVATE);

	(void)unused;
	if (!p)
		return -errno;
	pool_write(p, LOAD_HUGETLB / 2);
	pool_migrate(p);
	pool_migrate(p);
	return LOAD_HUGETLB / 2;
}

/* Migrates pages to another node, where they are freed. */
static inline int64_t pool_moved(const struct workload *unused)
{
	char *p = pool_map(LOAD_HUGETLB / 2, MAP_PRIVATE);

	(void)unused;
	if (!p)
		return -ENODEV;
	pool_write(p, LOAD_HUGETLB / 2);
	return pool_migrate(p) == LOAD_HUGETLB / 2 ? LOAD_HUGETLB / 2 : -ENODEV;
}

/* Returns how many pages of the pool are neither in use nor reserved. */
static inline int64_t pool_left(void)
{
	return workload_number("/proc/meminfo", "HugePages_Free", 0) -
	       workload_number("/proc/meminfo", "HugePages_Rsvd", 0);
}

#define POOL_SIZE  "/proc/sys/vm/nr_hugepages"
#define OVERCOMMIT "/proc/sys/vm/nr_overcommit_hugepages"

/*
 * Uses LOAD_HUGETLB more pages than are free. The kernel frees surplus pages when they are no
 * longer used.
 */
static inline int64_t pool_surplus(const struct workload *unused)
{
	int64_t nr = pool_left() + LOAD_HUGETLB, before = workload_number(OVERCOMMIT, NULL, 0);
	char *p;

	(void)unused;
	workload_try_to_set_number(OVERCOMMIT, LOAD_HUGETLB);
	p = pool_map(nr, MAP_PRIVATE);
	workload_try_to_set_number(OVERCOMMIT, before);
	if (!p)
		return -errno;
	pool_write(p, nr);
	return LOAD_HUGETLB;
}

/*
 * Binds as many pages as are free to node 1. If node 1 has too few, the kernel makes surplus pages,
 * even if other nodes have free pages.
 */
static inline int64_t pool_bound(const struct workload *unused)
{
	int64_t nr = pool_left(), before = workload_number(OVERCOMMIT, NULL, 0);
	size_t bytes = workload_hugetlb_bytes();
	unsigned long mask = 2;
	char *p = nr > 0 && nr <= 4 * LOAD_HUGETLB ? pool_map(nr, MAP_PRIVATE) : NULL;

	(void)unused;
	if (!p || syscall(SYS_mbind, p, (size_t)nr * bytes, LOAD_BIND, &mask, sizeof(mask) * 8, 0))
		return -ENOMEM;
	workload_try_to_set_number(OVERCOMMIT, nr);
	mask = (unsigned long)syscall(SYS_madvise, p, (size_t)nr * bytes, LOAD_POPULATE);
	workload_try_to_set_number(OVERCOMMIT, before);
	return mask ? -ENOMEM : nr;
}

/*
 * Grows and shrinks the pool. Never makes the pool smaller than before, because memory may be too
 * fragmented to grow it again.
 */
static inline int64_t pool_resized(const struct workload *unused)
{
	int64_t nr = workload_number(POOL_SIZE, NULL, 0);
	bool used = nr > 0 && pool_use(MAP_PRIVATE) > 0;

	(void)unused;
	workload_try_to_set_number(POOL_SIZE, nr + LOAD_HUGETLB);
	workload_try_to_set_number(POOL_SIZE, nr);
	return used ? LOAD_HUGETLB : -ENOMEM;
}

/* ---- the kernel's own memory ---- */

static inline _Noreturn void wait_for_death_of_parent(const int ends[2])
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	close(ends[0]);
	close(ends[1]);
	load_wait_for_death();
}

/*
 * Starts processes that only wait. Each sets PR_SET_PDEATHSIG, so that it ends with this process,
 * and then closes its ends of the pipe. Returns after all have closed them.
 */
static inline int64_t stacks(const struct workload *w)
{
	int64_t answer = (int64_t)load_pages(w);
	int ends[2];
	char byte;

	if (pipe(ends) < 0)
		return -errno;
	for (size_t i = 0; i < LOAD_PROCESSES && answer >= 0; i++) {
		pid_t pid = fork();

		if (pid == 0)
			wait_for_death_of_parent(ends);
		if (pid < 0)
			answer = -errno;
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 0)
		answer = -EIO;
	close(ends[0]);
	return answer;
}

/*
 * Touches one byte of each huge page of new memory, after madvise(2). Returns NULL if the kernel
 * allocates memory for that instead of the zero page, or if a page table is not one page.
 */
static inline char *tables_map(const struct workload *w, int advice)
{
	size_t huge = w->huge_page_size, bytes = (load_pages(w) + 1) * huge;
	uint64_t entry;
	char *p, *at;

	errno = EOPNOTSUPP;
	if (huge / w->page_size * sizeof(entry) != w->page_size)
		return NULL;
	p = workload_try_map(bytes, PROT_READ, MAP_PRIVATE | MAP_NORESERVE, -1);
	if (!p)
		return NULL;
	at = (char *)(((uintptr_t)p + huge - 1) / huge * huge);
	madvise(at, bytes - huge, advice);
	touch_read(w, at, 1);
	entry = load_entry(w, at);
	errno = EOPNOTSUPP;
	if (!(entry & PAGEMAP_PRESENT) || entry & PAGEMAP_EXCLUSIVE)
		return NULL;
	for (size_t i = 1; i < load_pages(w); i++)
		touch_read(w, at + i * huge, 1);
	return at;
}

static inline int64_t tables_small(const struct workload *w)
{
	return load_done(w, tables_map(w, MADV_NOHUGEPAGE));
}

/*
 * For each huge page that a PMD maps, the kernel keeps a page table (pgtable_trans_huge_deposit()).
 */
static inline int64_t tables_kept(const struct workload *w)
{
	return load_done(w, tables_map(w, MADV_HUGEPAGE));
}

/* Splits each PMD, which then uses the page table that was kept. */
static inline int64_t tables_split(const struct workload *w)
{
	char *p = tables_map(w, MADV_HUGEPAGE);

	for (size_t i = 0; p && i < load_pages(w); i++)
		if (madvise(p + i * w->huge_page_size, w->page_size, MADV_DONTNEED))
			return -errno;
	return load_done(w, p);
}

/*
 * Sends datagrams that no process reads. Returns the pages of the receiver's queue (SO_MEMINFO).
 * Fails if the loopback interface is down.
 */
static inline int64_t datagrams(const struct workload *w)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int to = socket(AF_INET, SOCK_DGRAM, 0), from = socket(AF_INET, SOCK_DGRAM, 0);
	int room = 4 * (int)load_bytes(w);
	uint32_t of[SK_MEMINFO_VARS] = { 0 };
	socklen_t size = sizeof(at), len = sizeof(of);

	if (to < 0 || from < 0 || setsockopt(to, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)) ||
	    bind(to, (void *)&at, size) || getsockname(to, (void *)&at, &size))
		return -errno;
	for (size_t sent = 0; of[SK_MEMINFO_RMEM_ALLOC] < load_bytes(w); sent += LOAD_DATAGRAM)
		if (sent > 2 * load_bytes(w) ||
		    sendto(from, workload_buffer, LOAD_DATAGRAM, 0, (void *)&at, size) < 0 ||
		    getsockopt(to, SOL_SOCKET, LOAD_MEMINFO, of, &len))
			return -ENOBUFS;
	return (of[SK_MEMINFO_RMEM_ALLOC] + of[SK_MEMINFO_FWD_ALLOC]) / (int64_t)w->page_size;
}

static inline int64_t pipes(const struct workload *w)
{
	int64_t bytes = 0, n;
	int end[2];

	while (bytes < (int64_t)load_bytes(w)) {
		if (pipe2(end, O_NONBLOCK) || fcntl(end[1], F_SETPIPE_SZ, 1 << 20) < 0)
			return -errno;
		while ((n = write(end[1], workload_buffer, WORKLOAD_BUFFER)) > 0)
			bytes += n;
	}
	return bytes / (int64_t)w->page_size;
}

#endif
