// SPDX-License-Identifier: MIT
/*
 * Double entry for allocations that fail: a limit ends a load in the middle, or a fault fails. The
 * memory allocated by then is freed, and each number returns to its old value.
 */
#include "../fork/refused_exec.h"
#include "double_entry.h"
#include "limit.h"

STEP_SYMBOLS(TAKE);

/*
 * Writes by a system call, which fails at the limit, because no process of this cgroup may be
 * killed.
 */
static int64_t shmem_beyond_max(const struct workload *w)
{
	int fd = shmem_file(w), limit = fd < 0 ? -1 : limit_begin(w, w->number[LOAD_PAGES] / 2);
	bool refused;

	if (limit < 0)
		return -ENOENT;
	refused = !fill(w, fd);
	limit_end(limit);
	return refused ? (int64_t)load_pages(w) : -ENOENT;
}

/*
 * Touches one huge page and a part of a second one, for which the cgroup has no room. The machine
 * has room, because the second huge page existed before and was freed.
 */
static int64_t huge_beyond_max(const struct workload *w, char *p, const char *field, int free_again)
{
	size_t huge = w->huge_page_size;
	int64_t few = w->huge / 8;
	int limit;

	if (!p || load_bytes(w) < 2 * huge)
		return -ENOENT;
	p[0] = p[huge] = 1;
	if (workload_number("/proc/self/smaps_rollup", field, 0) * 1024 < 2 * (int64_t)huge ||
	    syscall(SYS_madvise, p + huge, huge, free_again))
		return -ENOENT;
	limit = limit_begin(w, 2 * few);
	if (limit < 0)
		return -ENOENT;
	for (int64_t i = 1; i < w->huge + few; i++)
		p[(size_t)i * w->page_size] = 1;
	limit_end(limit);
	return w->huge + few;
}

static int64_t thp_beyond_max(const struct workload *w)
{
	return huge_beyond_max(w, huge_map(w, -1), "AnonHugePages", MADV_DONTNEED);
}

static int64_t shmem_huge_beyond_max(const struct workload *w)
{
	return huge_beyond_max(w, shmem_huge_map_untouched(w), "ShmemPmdMapped", MADV_REMOVE);
}

/* MADV_COLLAPSE needs a huge page before it can free the small pages. */
static int64_t collapse_beyond_max(const struct workload *w)
{
	size_t huge = w->huge_page_size;
	char *p = huge_map(w, -1);
	bool refused;
	int limit;

	if (!p)
		return -errno;
	syscall(SYS_madvise, p, huge, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < huge; at += w->page_size)
		p[at] = 1;
	syscall(SYS_madvise, p, huge, MADV_HUGEPAGE);
	limit = limit_begin(w, w->huge / 8);
	if (limit < 0)
		return -ENOENT;
	refused = syscall(SYS_madvise, p, huge, LOAD_COLLAPSE) && errno != EINVAL;
	limit_end(limit);
	return refused ? w->huge : -ENOENT;
}

static int small_tmpfs(const struct workload *w)
{
	char size[32];

	snprintf(size, sizeof(size), "size=%zu", load_bytes(w) / 2);
	return workload_tmpfs_file(size);
}

static int64_t tmpfs_full(const struct workload *w)
{
	int fd = small_tmpfs(w);

	if (fd < 0 || fill(w, fd))
		return -ENOENT;
	return (int64_t)load_pages(w) / 2;
}

/* fallocate(2) fails in the middle, and must free what it had allocated. */
static int64_t tmpfs_reserved(const struct workload *w)
{
	int fd = small_tmpfs(w);

	if (fd < 0 || fallocate(fd, 0, 0, (off_t)load_bytes(w)) == 0 || errno != ENOSPC)
		return -ENOENT;
	return 0;
}

static int64_t pool_too_small(const struct workload *unused)
{
	int64_t nr = workload_number("/proc/meminfo", "HugePages_Free", 0);

	(void)unused;
	return nr > 0 && !pool_map(nr + LOAD_HUGETLB, MAP_SHARED) ? 0 : -ENOENT;
}

/*
 * Sets a file of the cgroup, such as "hugetlb.2MB.max", to `value`, or to the size of one huge page
 * if `value` is NULL.
 */
static bool limit_hugetlb(const char *what, const char *value)
{
	size_t mib = workload_hugetlb_bytes() >> 20;
	char file[48], bytes[24];

	snprintf(file, sizeof(file), "hugetlb.%zuMB.%s", mib, what);
	snprintf(bytes, sizeof(bytes), "%zu", workload_hugetlb_bytes());
	return mib && set_limit(file, value ? value : bytes);
}

static int64_t pool_beyond_max(const struct workload *unused)
{
	char *p = pool_map(LOAD_HUGETLB, MAP_PRIVATE);
	bool refused;

	(void)unused;
	if (!p || !limit_hugetlb("max", NULL))
		return -ENOENT;
	refused = syscall(SYS_madvise, p, LOAD_HUGETLB * workload_hugetlb_bytes(), LOAD_POPULATE) &&
		  errno != EINVAL;
	limit_hugetlb("max", "max");
	return refused ? 1 : -ENOENT;
}

static int64_t reserved_beyond_max(const struct workload *unused)
{
	char *p;

	(void)unused;
	if (!limit_hugetlb("rsvd.max", NULL))
		return -ENOENT;
	p = pool_map(LOAD_HUGETLB, MAP_SHARED);
	limit_hugetlb("rsvd.max", "max");
	return p ? -ENOENT : 0;
}

/* The cgroup has room for a part of the page tables only, so fork(2) fails in the middle. */
static int64_t fork_beyond_max(const struct workload *w)
{
	size_t bytes = workload_table_bytes(w), tables = 256;
	char *p = workload_try_map(tables * bytes, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_NORESERVE, -1);
	pid_t pid = -1;
	int limit;

	if (!p)
		return -errno;
	syscall(SYS_madvise, p, tables * bytes, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < tables; i++)
		p[i * bytes] = 1;
	limit = limit_begin(w, (int64_t)tables / 2);
	if (limit < 0)
		return -ENOENT;
	pid = fork();
	if (!pid)
		_exit(0);
	limit_end(limit);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return pid < 0 ? (int64_t)tables : -ENOENT;
}

/*
 * Reads and writes one byte in the range of each page table. The access is made by a system call,
 * which returns EFAULT instead of raising a signal. Each fault fails after the kernel has allocated
 * a page table for it.
 */
static int64_t faults_fail(const struct workload *w, char *p)
{
	size_t span = workload_table_bytes(w), failed = 0;
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC), out[2];

	if (!p || zero < 0 || pipe2(out, O_CLOEXEC))
		return -ENOENT;
	for (size_t i = 0; i < load_pages(w); i++)
		failed += write(out[1], p + i * span, 1) < 0 && read(zero, p + i * span, 1) < 0;
	return failed == load_pages(w) ? (int64_t)failed : -ENOENT;
}

static char *map_tables(const struct workload *w, int fd, off_t at, int flags)
{
	void *p = mmap(NULL, load_pages(w) * workload_table_bytes(w), PROT_READ | PROT_WRITE,
		       flags | MAP_NORESERVE, fd, at);

	return p == MAP_FAILED ? NULL : p;
}

#define BEYOND_END ((off_t)1 << 40)

static int64_t beyond_end(const struct workload *w, int fd)
{
	return faults_fail(w, map_tables(w, fd, BEYOND_END, MAP_SHARED)) < 0
		       ? -ENOENT
		       : faults_fail(w, map_tables(w, fd, BEYOND_END, MAP_PRIVATE));
}

static int64_t beyond_memfd(const struct workload *w)
{
	return beyond_end(w, shmem_file(w));
}

static int64_t beyond_file(const struct workload *w)
{
	return beyond_end(w, w->fd[LOAD_FILE]);
}

/* With UFFD_FEATURE_SIGBUS each fault on a missing page fails. */
static bool refuse_faults(const struct workload *w, char *p)
{
	struct uffdio_api api = { .api = UFFD_API, .features = UFFD_FEATURE_SIGBUS };
	struct uffdio_register r = {
		.range = { .start = (uintptr_t)p, .len = load_pages(w) * workload_table_bytes(w) },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	return p && fd >= 0 && !ioctl(fd, UFFDIO_API, &api) && !ioctl(fd, UFFDIO_REGISTER, &r);
}

static int64_t refused_by_userfaultfd(const struct workload *w)
{
	char *anon = map_tables(w, -1, 0, MAP_PRIVATE | MAP_ANONYMOUS);
	char *shared = map_tables(w, -1, 0, MAP_SHARED | MAP_ANONYMOUS);

	if (!refuse_faults(w, anon) || !refuse_faults(w, shared) || faults_fail(w, anon) < 0)
		return -ENOENT;
	return faults_fail(w, shared);
}

/*
 * mmap_region() charges Committed_AS for a private writable mapping before it calls the file's
 * mmap.
 */
static int64_t mapping_refused(const struct workload *w)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	void *p = fd < 0 ? NULL
			 : mmap(NULL, load_bytes(w), PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

	return p == MAP_FAILED ? (int64_t)load_pages(w) : -ENOENT;
}

/*
 * The kernel has copied up to 6 MiB of arguments into pages of a new mm. These programs need no
 * file of their own, which would be memory, too.
 */
static int64_t programs_refused(const struct workload *unused)
{
	(void)unused;
	for (int i = 0; i < REFUSALS; i++) {
		const struct refusal *r = &refusals[i];
		const char *path = r->program == NO_FILE       ? "/nowhere/program"
				   : r->program == A_DIRECTORY ? "/proc/self"
							       : "/proc/self/exe";
		bool alone = r->program == NO_FILE || r->program == A_DIRECTORY;

		if ((alone || r->error == E2BIG || r->error == EFAULT) &&
		    try_exec(r, path) != r->error)
			return -ENOENT;
	}
	return 0;
}

/* For a huge page these rise only if defrag lets the kernel reclaim memory before it gives up. */
#define MAX_ALARMS     " memory.events.max memory.events.local.max "

#define POOL_ALARMS    " hugetlb.events.max hugetlb.events.local.max "

#define REFUSED_EVENTS RECLAIM_EVENTS SPLIT_EVENTS

static const struct load loads[] = {
	{ .name = "nothing" },
	{ DOES("a memfd that is larger than memory.max", shmem_beyond_max), .any = ~0ULL,
	  .may_raise = " memory.swap.events.max ", .counts = REFUSED_EVENTS,
	  .raises = MAX_ALARMS " memory.events.oom memory.events.local.oom " },
	{ DOES("a huge page for which memory.max has no room", thp_beyond_max), .any = ~0ULL,
	  .may_raise = " memory.swap.events.max " MAX_ALARMS,
	  .counts = REFUSED_EVENTS " thp_fault_alloc? anon_fault_alloc? ",
	  .raises = " vmstat.thp_fault_fallback vmstat.thp_fault_fallback_charge "
		    "thp.anon_fault_fallback thp.anon_fault_fallback_charge " },
	{ DOES("a huge page of a tmpfs for which memory.max has no room", shmem_huge_beyond_max),
	  .any = ~0ULL, .may_raise = " memory.swap.events.max " MAX_ALARMS,
	  .counts = REFUSED_EVENTS " thp_file_alloc? shmem_alloc? thp_file_mapped? ",
	  .raises = " vmstat.thp_file_fallback vmstat.thp_file_fallback_charge "
		    "thp.shmem_fallback thp.shmem_fallback_charge " },
	{ DOES("a collapse for which memory.max has no room", collapse_beyond_max), .any = ~0ULL,
	  .may_raise = " memory.swap.events.max " MAX_ALARMS,
	  .counts = REFUSED_EVENTS " thp_collapse_alloc? thp_collapse_alloc_failed? " },
	{ DOES("a file on a full tmpfs", tmpfs_full), .moves = { SHMEM_MEMORY } },
	{ DOES("a file for which a tmpfs has no room", tmpfs_reserved) },
	{ DOES("more hugetlb pages than the pool has", pool_too_small) },
	{ DOES("hugetlb pages beyond hugetlb.max", pool_beyond_max),
	  .moves = { { POOL_FREE, -1 }, { POOL_PAID, 1 } },
	  .any = KIND(POOL_RESERVED) | KIND(POOL_PAID_RESERVED), .raises = POOL_ALARMS },
	{ DOES("hugetlb pages beyond hugetlb.rsvd.max", reserved_beyond_max),
	  .may_raise = POOL_ALARMS },
	{ DOES("a fork beyond memory.max", fork_beyond_max), .any = ~0ULL,
	  .may_raise = " memory.swap.events.max ", .counts = REFUSED_EVENTS,
	  .raises = MAX_ALARMS " memory.events.oom memory.events.local.oom " },
	{ DOES("a mapping that a socket refuses", mapping_refused) },
	{ DOES("programs that cannot be executed", programs_refused), .counts = " pgfault? " },
	{ DOES("faults beyond the end of a memfd", beyond_memfd),
	  .any = KIND(TABLES) | KIND(TABLES_PAID) | KIND(PAID), .counts = " pgfault? " },
	{ DOES("faults beyond the end of a file", beyond_file),
	  .any = KIND(TABLES) | KIND(TABLES_PAID) | KIND(PAID), .counts = " pgfault? " },
	{ DOES("faults that a userfaultfd refuses", refused_by_userfaultfd),
	  .any = KIND(TABLES) | KIND(TABLES_PAID) | KIND(PAID), .counts = " pgfault? " },
};

enum { LOADS = sizeof(loads) / sizeof(*loads) };

static void take_and_give_back(struct workload *w)
{
	struct ledgers *b = ledgers_open(w, ledger_read);
	int64_t taken = 0;

	ledger_enter(w);
	workload_try_to_set("/proc/self/oom_score_adj", "-1000");
	b->events = true;
	for (size_t i = 0; i < LOADS; i++)
		taken += take(w, &loads[i], b);
	workload_cgroup_leave(w);
	ledgers_close(w, b, taken);
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, TAKE, "loads") <= LOADS / 4)
		judge_skip(j, "a machine on which more than a quarter of the limits can be tested");
}

CASE(machine_refused) {
	.claim =
		"When a limit makes a call or a fault fail midway, the memory counters of the machine, its nodes and the cgroup return to their old values after the memory is freed",
	.because = "An error path must undo each charge, reservation or block taken before the "
		   "error, as in try_charge_memcg(), hugetlb_reserve_pages() and "
		   "shmem_fallocate(). Programs seldom take these paths.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.events",
			   "Documentation/admin-guide/cgroup-v2.rst, hugetlb.<hugepagesize>.max"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(TAKE, "allocate memory up to each limit and free it",
			       take_and_give_back, .checks = 1)),
	.judge = judge,
};
