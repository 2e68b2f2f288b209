// SPDX-License-Identifier: MIT
/*
 * Attributes of a process that decide memory numbers or are such numbers, and the ways in which a
 * new process, thread or program may inherit them, for fork/inherited.
 */
#ifndef CASES_FORK_INHERITED_H
#define CASES_FORK_INHERITED_H

#include <inttypes.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <linux/mempolicy.h>
#include <rssck/case.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE              65
#define PR_MDWE_REFUSE_EXEC_GAIN (1UL << 0)
#define PR_GET_MDWE              66
#endif
#ifndef PR_MDWE_NO_INHERIT
#define PR_MDWE_NO_INHERIT (1UL << 1)
#endif
#ifndef PR_SET_MEMORY_MERGE
#define PR_SET_MEMORY_MERGE 67
#define PR_GET_MEMORY_MERGE 68
#endif

enum { PAGES = 8, TRIES = 5, UNKNOWN = -1, NOT_READ = -2 };
enum { FINE, WRONG, IMPOSSIBLE, RESET_BY_EXEC };

/* What becomes of an attribute: it stays, it is 0, or the kernel may choose. */
enum becomes { STAYS, IS_0, STAYS_OR_IS_0 };

/* value() returns UNKNOWN of another process if only the process itself can read it. */
struct attribute {
	const char *name;
	bool (*set)(void);
	int64_t (*value)(pid_t of);
	enum becomes fork, exec;
};

static const struct attribute *attribute;
static size_t page;

static const char *path_of(pid_t of, const char *file)
{
	static char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)of, file);
	return path;
}

/* /proc/TID exists for each thread. */
static bool is_self(pid_t of)
{
	return of == (pid_t)syscall(SYS_gettid);
}

static char *map_private(size_t bytes, int flags)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1,
		       0);

	return p == MAP_FAILED ? NULL : p;
}

static const char *smaps_of(pid_t of)
{
	workload_read_whole(path_of(of, "smaps"), workload_buffer, WORKLOAD_BUFFER);
	return workload_buffer;
}

static bool filter_set(void)
{
	return workload_try_to_set("/proc/self/coredump_filter", "0x15");
}

static int64_t filter_of(pid_t of)
{
	char text[32];

	if (workload_read_text(path_of(of, "coredump_filter"), text, sizeof(text)) <= 0)
		return UNKNOWN;
	return strtoll(text, NULL, 16);
}

static bool oom_score_adj_set(void)
{
	return workload_try_to_set("/proc/self/oom_score_adj", "765");
}

static int64_t oom_score_adj_of(pid_t of)
{
	return workload_number(path_of(of, "oom_score_adj"), NULL, UNKNOWN);
}

static int64_t oom_adj_of(pid_t of)
{
	return workload_number(path_of(of, "oom_adj"), NULL, UNKNOWN);
}

static bool thp_disable(void)
{
	return !prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}

static int64_t thp_enabled_of(pid_t of)
{
	return workload_number(path_of(of, "status"), "THP_enabled", UNKNOWN);
}

static bool memory_merge(void)
{
	return !prctl(PR_SET_MEMORY_MERGE, 1, 0, 0, 0);
}

/* A new program has the flag "mg" in its first mappings. */
static int64_t merges(pid_t of)
{
	const char *text;

	if (is_self(of))
		return prctl(PR_GET_MEMORY_MERGE, 0, 0, 0, 0);
	text = smaps_of(of);
	return *text ? strstr(text, " mg") != NULL : UNKNOWN;
}

static bool mdwe(void)
{
	return !prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0);
}

static bool mdwe_no_inherit(void)
{
	return !prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN | PR_MDWE_NO_INHERIT, 0, 0, 0);
}

static int64_t mdwe_of(pid_t of)
{
	return is_self(of) ? prctl(PR_GET_MDWE, 0, 0, 0, 0) : UNKNOWN;
}

static int64_t locked_of(pid_t of)
{
	return workload_number(path_of(of, "status"), "VmLck", UNKNOWN);
}

static bool lock_future(void)
{
	return !mlockall(MCL_FUTURE);
}

/* Returns how many kB of a new mapping of one page are locked. */
static int64_t future_locked_of(pid_t of)
{
	int64_t before = locked_of(of), after;
	char *p;

	if (!is_self(of))
		return before;
	p = map_private(page, 0);
	after = locked_of(of);
	if (!p)
		return UNKNOWN;
	munmap(p, page);
	return after - before;
}

static bool lock(void)
{
	char *p = map_private(PAGES * page, 0);

	return p && !mlock(p, PAGES * page);
}

/* With CAP_IPC_LOCK some kernels do not count pinned pages. */
static bool pin(void)
{
	struct iovec buffer = { map_private(PAGES * page, 0), PAGES * page };
	struct io_uring_params p = { .flags = 0 };
	int ring;

	workload_set_capability(CAP_IPC_LOCK, false);
	ring = (int)syscall(SYS_io_uring_setup, 4, &p);
	return buffer.iov_base && ring >= 0 &&
	       syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &buffer, 1) >= 0;
}

static int64_t pinned_of(pid_t of)
{
	return workload_number(path_of(of, "status"), "VmPin", UNKNOWN);
}

static char *paged_out;

static bool page_out(void)
{
	paged_out = map_private(PAGES * page, 0);
	if (!paged_out)
		return false;
	/* A mapping with other advice is not merged with its neighbours. */
	madvise(paged_out, PAGES * page, MADV_SEQUENTIAL);
	memset(paged_out, 1, PAGES * page);
	for (int i = 0; i < TRIES; i++)
		if (madvise(paged_out, PAGES * page, MADV_PAGEOUT))
			return false;
	return true;
}

/*
 * VmSwap may lag. smaps has the pages of the mapping that are on swap now. A new program has none
 * at this address.
 */
static int64_t swapped_of(pid_t of)
{
	char start[32];
	const char *at;

	snprintf(start, sizeof(start), "%lx-", (unsigned long)paged_out);
	at = paged_out ? strstr(smaps_of(of), start) : NULL;
	at = at ? strstr(at, "\nSwap:") : NULL;
	return at ? strtoll(at + 6, NULL, 10) : 0;
}

static bool hugetlb_private(void)
{
	size_t bytes = workload_hugetlb_bytes();
	char *p = bytes ? map_private(bytes, MAP_HUGETLB) : NULL;

	if (p)
		*p = 1;
	return p;
}

static bool hugetlb_shared(void)
{
	size_t bytes = workload_hugetlb_bytes();
	char *p = bytes ? mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0)
			: MAP_FAILED;

	if (p != MAP_FAILED)
		*p = 1;
	return p != MAP_FAILED;
}

static int64_t hugetlb_of(pid_t of)
{
	return workload_number(path_of(of, "status"), "HugetlbPages", UNKNOWN);
}

static bool bind_to_node_0(void)
{
	unsigned long nodes = 1;

	return !syscall(SYS_set_mempolicy, MPOL_BIND, &nodes, 8 * sizeof(nodes));
}

/* Mappings without a policy of their own show that of the task. */
static int64_t bound(pid_t of)
{
	char text[256];

	if (workload_read_text(path_of(of, "numa_maps"), text, sizeof(text)) <= 0)
		return UNKNOWN;
	return strstr(text, " bind:0 ") != NULL;
}

static const struct rlimit_row {
	const char *name;
	int resource;
} rlimits[] = {
	{ "RLIMIT_AS", RLIMIT_AS },       { "RLIMIT_DATA", RLIMIT_DATA },
	{ "RLIMIT_STACK", RLIMIT_STACK }, { "RLIMIT_MEMLOCK", RLIMIT_MEMLOCK },
	{ "RLIMIT_RSS", RLIMIT_RSS },
};

enum { RLIMITS = sizeof(rlimits) / sizeof(*rlimits) };

static const struct rlimit_row *limit;

/* The same value each time: a large one, or a page below the hard limit. */
static bool limit_set(void)
{
	struct rlimit l;
	rlim_t large = (rlim_t)LONG_MAX / 4 + 1;

	if (syscall(SYS_prlimit64, 0, limit->resource, NULL, &l))
		return false;
	if (l.rlim_max != RLIM_INFINITY && l.rlim_max <= large)
		large = l.rlim_max - page;
	l.rlim_cur = large;
	return !setrlimit((__rlimit_resource_t)limit->resource, &l);
}

static int64_t limit_of(pid_t of)
{
	struct rlimit l;

	if (prlimit(of, (__rlimit_resource_t)limit->resource, NULL, &l))
		return UNKNOWN;
	return (int64_t)(l.rlim_cur / page);
}

enum {
	FILTER,
	OOM_SCORE_ADJ,
	OOM_ADJ,
	THP_DISABLE,
	MEMORY_MERGE,
	MDWE,
	MDWE_NO_INHERIT,
	LOCK_FUTURE,
	LOCKED,
	PINNED,
	SWAPPED_OUT,
	HUGETLB_PRIVATE,
	HUGETLB_SHARED,
	POLICY,
};

static const struct attribute attributes[] = {
	[FILTER] = { "coredump_filter", filter_set, filter_of, STAYS, STAYS },
	[OOM_SCORE_ADJ] = { "oom_score_adj", oom_score_adj_set, oom_score_adj_of, STAYS, STAYS },
	[OOM_ADJ] = { "oom_adj", oom_score_adj_set, oom_adj_of, STAYS, STAYS },
	[THP_DISABLE] = { "THP_enabled", thp_disable, thp_enabled_of, STAYS, STAYS },
	[MEMORY_MERGE] = { "PR_SET_MEMORY_MERGE (Linux 6.4)", memory_merge, merges, STAYS,
			   STAYS_OR_IS_0 },
	[MDWE] = { "PR_SET_MDWE (Linux 6.3)", mdwe, mdwe_of, STAYS, STAYS },
	[MDWE_NO_INHERIT] = { "PR_MDWE_NO_INHERIT (Linux 6.6)", mdwe_no_inherit, mdwe_of, IS_0,
			      IS_0 },
	[LOCK_FUTURE] = { "MCL_FUTURE", lock_future, future_locked_of, IS_0, IS_0 },
	[LOCKED] = { "VmLck", lock, locked_of, IS_0, IS_0 },
	[PINNED] = { "VmPin, by io_uring", pin, pinned_of, IS_0, IS_0 },
	[SWAPPED_OUT] = { "Swap of smaps", page_out, swapped_of, STAYS, IS_0 },
	[HUGETLB_PRIVATE] = { "HugetlbPages of a private page", hugetlb_private, hugetlb_of, STAYS,
			      IS_0 },
	[HUGETLB_SHARED] = { "HugetlbPages of a shared page", hugetlb_shared, hugetlb_of,
			     STAYS_OR_IS_0, IS_0 },
	[POLICY] = { "the memory policy in numa_maps", bind_to_node_0, bound, STAYS, STAYS },
}, limits = { "limits", limit_set, limit_of, STAYS, STAYS };

enum { STACK_BYTES = 256 << 10 };

/* What the child of a way has read; in shared memory. */
static struct seen {
	int64_t value;
	int error; /* of exec or ptrace */
	pid_t tid; /* 0 as soon as the child has ended */
} * seen;

static char *stack; /* of the child of a way */

static int read_value(void *unused)
{
	(void)unused;
	seen->value = attribute->value((pid_t)syscall(SYS_gettid));
	return 0;
}

/* The new program stops before its first instruction. */
static int exec_program(void *set)
{
	if ((set && !attribute->set()) || ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 ||
	    execl("/proc/self/exe", "rssck-workload", "--does-it-run", (char *)NULL) < 0)
		seen->error = errno;
	_exit(1);
}

enum { THREAD = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM };

static const struct way {
	const char *name;
	int flags; /* of clone(2) */
	int (*run)(void *argument);
	void *argument;
} ways[] = {
	{ "fork", SIGCHLD, read_value, NULL },
	{ "vfork", CLONE_VM | CLONE_VFORK | SIGCHLD, read_value, NULL },
	{ "clone(CLONE_VM)", CLONE_VM | SIGCHLD, read_value, NULL },
	{ "a new thread", THREAD, read_value, NULL },
	{ "exec", SIGCHLD, exec_program, &seen },
	{ "vfork and exec", CLONE_VM | CLONE_VFORK | SIGCHLD, exec_program, NULL },
	{ "fork and exec", SIGCHLD, exec_program, NULL },
};

static enum becomes becomes(const struct way *y)
{
	if (y->run == exec_program)
		return attribute->exec;
	return y->flags & CLONE_VM ? STAYS : attribute->fork;
}

/* The parent must not use this thread's memory, which errno is part of, until the thread ends. */
static void await_thread(void)
{
	pid_t tid;

	while ((tid = __atomic_load_n(&seen->tid, __ATOMIC_SEQ_CST)) != 0)
		syscall(SYS_futex, &seen->tid, FUTEX_WAIT, tid, NULL, NULL, 0);
}

static void await_process(const struct way *y, pid_t pid)
{
	int status = 0;

	waitpid(pid, &status, WUNTRACED);
	if (!WIFSTOPPED(status))
		return;
	if (y->run == exec_program)
		seen->value = attribute->value(pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Returns false with errno if the way is impossible. */
static bool go(const struct way *y)
{
	int flags = y->flags | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
	pid_t pid;

	seen->value = NOT_READ;
	seen->error = 0;
	pid = clone(y->run, stack + STACK_BYTES, flags, y->argument, &seen->tid, NULL, &seen->tid);
	if (pid < 0)
		return false;
	if (y->flags & CLONE_THREAD)
		await_thread();
	else
		await_process(y, pid);
	errno = seen->error;
	return !seen->error;
}

static int compare(const struct way *y, int64_t value, bool *reset)
{
	enum becomes b = becomes(y);
	int64_t expected = b == IS_0 ? 0 : value, now;

	if (!go(y))
		return workload_say(IMPOSSIBLE, "%s: %m", y->name);
	if (seen->value == NOT_READ)
		return workload_say(IMPOSSIBLE, "%s: the child ended before it was read", y->name);
	if (b == STAYS_OR_IS_0 && seen->value == 0) {
		*reset |= y->run == exec_program;
		expected = 0;
	}
	if (seen->value != expected && (seen->value != UNKNOWN || y->run != exec_program))
		return workload_say(WRONG, "%" PRId64 " after %s, should be %" PRId64, seen->value,
				    y->name, expected);
	now = attribute->value(getpid());
	if (now != value)
		return workload_say(WRONG, "%" PRId64 " in the parent after %s, should be %" PRId64,
				    now, y->name, value);
	return FINE;
}

static int try_ways(const struct workload *w)
{
	int64_t before, value;
	int result = FINE;
	bool reset = false;

	page = w->page_size;
	seen = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (seen == MAP_FAILED || stack == MAP_FAILED)
		return workload_say(IMPOSSIBLE, "mmap: %m");
	before = attribute->value(getpid());
	if (!attribute->set())
		return workload_say(IMPOSSIBLE, "%m");
	value = attribute->value(getpid());
	if (value == before)
		return workload_say(IMPOSSIBLE, "the value stays %" PRId64, value);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways) && !result; i++)
		result = compare(&ways[i], value, &reset);
	return result ? result : reset ? RESET_BY_EXEC : FINE;
}

/* Tries `attribute`, called `name`. Returns false if exec resets it. */
static bool must_be_inherited(struct workload *w, const char *name)
{
	char text[256];
	int result = workload_in_child_that_says(w, try_ways, text, sizeof(text));

	if (result == IMPOSSIBLE)
		workload_skip_step(w, "a way to change %s (%s)", name, text);
	if (result != FINE && result != RESET_BY_EXEC)
		workload_fail(w, "%s: %s", name, text);
	return result == FINE;
}

/* Tries the attribute that is the step's argument. */
static inline void each_way(struct workload *w)
{
	attribute = &attributes[w->argument];
	workload_report(w, "kept", must_be_inherited(w, attribute->name));
	workload_checked(w);
}

#endif
