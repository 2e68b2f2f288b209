// SPDX-License-Identifier: MIT
/*
 * Limits of a cgroup, the loads that run into them, and the events that the kernel must count.
 */
#ifndef CASES_CGROUP_LIMITS_H
#define CASES_CGROUP_LIMITS_H

#include "tree.h"

enum { ROOM = 512, BEYOND = 8, LOAD = ROOM + 256, FORKS = 3, MOST = 64, REFUSED = -2 };

/* What a load returns besides an errno: the kernel did not refuse, or refused, what it should. */
enum { FINE = 0, NOT_AS_EXPECTED = 10000 };

/* The cgroup in which the kernel counts an event: that of the limit, or that of the process. */
enum counted { AT_LIMIT, AT_PROCESS };

struct count {
	const char *controller, *line;
	enum counted at;
	int64_t times;
};

enum need { NOTHING, SWAP, HUGETLB, CLONE_INTO };
enum measure { PAGE, HUGE_PAGE, ONE };

struct row {
	const char *name, *limit, *usage;
	enum measure in;
	int64_t room; /* the limit is this much above the usage */
	enum need need;
	bool outside; /* the process that sets the limit is not in the tree */
	int64_t (*load)(void);
	struct count counts[4]; /* ends with a NULL line */
	int64_t holds; /* what the process then has of the usage; SEVERAL: at most the limit */
};

/* What the process says besides. */
struct answer {
	int64_t limit;   /* that it has set */
	int64_t refused; /* pages that were not paged out */
};

/* Descriptors are opened before the process enters the tree. */
static struct {
	const struct row *row;
	size_t level; /* the cgroup that has the limit */
	int limit, usage, into;
	size_t page, huge;
	char *p;
	int pagemap;
	struct answer *shared;
	bool local_memory, local_pids; /* an event is only in the files of one cgroup */
	bool option_pids, unnotified;
} at;

/* ---- loads ---- */

static int64_t usage_now(void)
{
	char text[32] = "";

	return pread(at.usage, text, sizeof(text) - 1, 0) > 0 ? strtoll(text, NULL, 10) : -1;
}

static bool set_limit(int64_t more)
{
	const size_t units[] = { at.page, at.huge, 1 };
	char text[32];

	at.shared->limit = usage_now() + more * (int64_t)units[at.row->in];
	snprintf(text, sizeof(text), "%" PRId64, at.shared->limit);
	return pwrite(at.limit, text, strlen(text), 0) > 0;
}

static int64_t map(size_t pages)
{
	at.p = workload_try_map(pages * at.page, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	return at.p ? FINE : errno;
}

static void touch(char *p, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		p[i * at.page] = (char)(i | 1);
}

static int64_t write_some(size_t pages)
{
	int64_t error = map(pages);

	if (!error)
		touch(at.p, pages);
	return error;
}

static int64_t write_pages(void)
{
	return write_some(LOAD);
}

static int64_t lock_pages(void)
{
	int64_t error = map(LOAD);

	if (error)
		return error;
	return mlock(at.p, LOAD * at.page) ? FINE : NOT_AS_EXPECTED;
}

/* The child enters the tree when it may be killed. */
static int64_t be_killed(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (workload_try_to_set("/proc/self/oom_score_adj", "1000") && tree_join(INNER))
			lock_pages();
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return errno;
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? FINE : NOT_AS_EXPECTED;
}

/* Lowers the limit below what a child uses, which goes to swap. */
static int64_t lower_limit(void)
{
	int64_t error = FINE;
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC) || (pid = fork()) < 0)
		return errno;
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		if (tree_join(INNER) && !write_pages() && write(ready[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1 || !set_limit(-ROOM / 2))
		error = errno;
	workload_companion_ends(pid);
	return error;
}

/* Pages out, and adds up the pages that were refused a slot of swap. */
static int64_t page_out(size_t pages)
{
	static uint64_t entries[ROOM];
	int64_t error = write_some(pages);

	if (error)
		return error;
	if (madvise(at.p, pages * at.page, MADV_PAGEOUT) ||
	    pread(at.pagemap, entries, pages * sizeof(*entries),
		  (off_t)((uintptr_t)at.p / at.page * sizeof(*entries))) < 0)
		return errno;
	for (size_t i = 0; i < pages; i++)
		at.shared->refused += !!(entries[i] & PAGEMAP_PRESENT);
	return FINE;
}

/*
 * Pages out until a page is refused, or the usage exceeds the limit. Freed slots of swap that a CPU
 * had kept charged (up to 6.14) may make room.
 */
static int64_t page_out_beyond(void)
{
	int64_t error = page_out(ROOM);

	for (int i = 0; i < MOST && !error && !at.shared->refused; i++) {
		error = page_out(BEYOND);
		if (usage_now() > at.shared->limit)
			return error;
	}
	return error ? error : at.shared->refused ? FINE : NOT_AS_EXPECTED;
}

/* Only a charge looks at memory.swap.high, and one charge is for a batch of pages. */
static int64_t page_out_and_write(void)
{
	int64_t error = page_out_beyond();

	return error ? error : write_some(2 * CGROUP_BATCH);
}

static int64_t allocate_huge(void)
{
	int fd = memfd_create("rssck", MFD_CLOEXEC | MFD_HUGETLB);

	if (fd < 0)
		return errno;
	if (fallocate(fd, 0, 0, (off_t)at.huge))
		return errno;
	return fallocate(fd, 0, (off_t)at.huge, (off_t)at.huge) && errno == ENOSPC
		       ? FINE
		       : NOT_AS_EXPECTED;
}

static int64_t reserve_huge(void)
{
	const int prot = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_HUGETLB;

	if (!workload_try_map(at.huge, prot, flags, -1))
		return errno;
	return !workload_try_map(at.huge, prot, flags, -1) && errno == ENOMEM ? FINE
									      : NOT_AS_EXPECTED;
}

/* One child fits; the next FORKS do not. */
static int64_t fork_beyond(void)
{
	pid_t first = fork(), pid = -1;
	int refused = 0;

	if (!first) {
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		for (;;)
			pause();
	}
	for (; refused < FORKS && (pid = fork()) < 0 && errno == EAGAIN; refused++)
		;
	if (!pid)
		_exit(0);
	if (first < 0)
		return errno;
	workload_companion_ends(first);
	return refused == FORKS ? FINE : NOT_AS_EXPECTED;
}

#ifndef CLONE_INTO_CGROUP
#define CLONE_INTO_CGROUP 0x200000000ULL
#endif

/* Needs Linux 5.7. Without it the errno is not EBADF for a descriptor that is not open. */
static pid_t clone_into_cgroup(int fd)
{
	const struct {
		uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls,
			set_tid, set_tid_size, cgroup;
	} args = { .flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD, .cgroup = (uint64_t)fd };
	pid_t pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));

	if (!pid)
		_exit(0);
	return pid;
}

static int64_t clone_into(void)
{
	for (int i = 0; i < FORKS; i++)
		if (clone_into_cgroup(at.into) > 0 || errno != EAGAIN)
			return NOT_AS_EXPECTED;
	return FINE;
}

static int64_t move_into(void)
{
	return tree_join(INNER) ? FINE : errno;
}

static const struct row rows[] = {
	{ "memory.max", "memory.max", "memory.current", PAGE, ROOM, SWAP, .load = write_pages,
	  .counts = { { "memory", "max", AT_LIMIT, SEVERAL } }, .holds = SEVERAL },
	{ "memory.max, locked memory and nobody to kill", "memory.max", "memory.current", PAGE,
	  ROOM, .load = lock_pages,
	  .counts = { { "memory", "max", AT_LIMIT, SEVERAL },
		      { "memory", "oom", AT_LIMIT, SEVERAL } },
	  .holds = SEVERAL },
	{ "memory.max, locked memory of a process that is killed", "memory.max", "memory.current",
	  PAGE, ROOM, .outside = true, .load = be_killed,
	  .counts = { { "memory", "max", AT_LIMIT, SEVERAL },
		      { "memory", "oom", AT_LIMIT, SEVERAL },
		      { "memory", "oom_kill", AT_PROCESS, 1 } },
	  .holds = SEVERAL },
	{ "memory.max below the usage", "memory.max", "memory.current", PAGE, 2 * LOAD, SWAP,
	  .outside = true, .load = lower_limit, .holds = SEVERAL },
	{ "memory.high", "memory.high", "memory.current", PAGE, ROOM, SWAP, .load = write_pages,
	  .counts = { { "memory", "high", AT_LIMIT, SEVERAL } }, .holds = SEVERAL },
	{ "memory.high below the usage", "memory.high", "memory.current", PAGE, 2 * LOAD, SWAP,
	  .outside = true, .load = lower_limit, .holds = SEVERAL },
	{ "memory.swap.max", "memory.swap.max", "memory.swap.current", PAGE, ROOM, SWAP,
	  .load = page_out_beyond,
	  .counts = { { "memory.swap", "max", AT_PROCESS, REFUSED },
		      { "memory.swap", "fail", AT_PROCESS, REFUSED } },
	  .holds = ROOM },
	{ "memory.swap.high", "memory.swap.high", "memory.swap.current", PAGE, ROOM, SWAP,
	  .load = page_out_and_write, .counts = { { "memory.swap", "high", AT_LIMIT, SEVERAL } },
	  .holds = SEVERAL },
	{ "hugetlb.max", "hugetlb.%zuMB.max", "hugetlb.%zuMB.current", HUGE_PAGE, 1, HUGETLB,
	  .load = allocate_huge, .counts = { { "hugetlb.%zuMB", "max", AT_PROCESS, 1 } },
	  .holds = 1 },
	{ "hugetlb.rsvd.max", "hugetlb.%zuMB.rsvd.max", "hugetlb.%zuMB.rsvd.current", HUGE_PAGE, 1,
	  HUGETLB, .load = reserve_huge, .counts = { { "hugetlb.%zuMB", "max", AT_PROCESS, 1 } },
	  .holds = 1 },
	{ "pids.max, fork", "pids.max", "pids.current", ONE, 1, .load = fork_beyond,
	  .counts = { { "pids", "max", AT_LIMIT, FORKS } }, .holds = 1 },
	{ "pids.max, clone into the cgroup", "pids.max", "pids.current", ONE, 0, CLONE_INTO,
	  .outside = true, .load = clone_into, .counts = { { "pids", "max", AT_LIMIT, FORKS } },
	  .holds = 0 },
	{ "pids.max, a process that moves in", "pids.max", "pids.current", ONE, 0, .outside = true,
	  .load = move_into, .holds = 1 },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

#endif
