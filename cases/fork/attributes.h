// SPDX-License-Identifier: MIT
/* Attributes of a process that decide memory numbers or are such numbers, for fork/inherited. */
#ifndef CASES_FORK_ATTRIBUTES_H
#define CASES_FORK_ATTRIBUTES_H

#include <inttypes.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/io_uring.h>
#include <linux/mempolicy.h>
#include <rssck/case.h>
#include <sys/personality.h>
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
#ifndef PR_THP_DISABLE_EXCEPT_ADVISED
#define PR_THP_DISABLE_EXCEPT_ADVISED (1 << 1)
#endif

enum { PAGES = 8, TRIES = 5, UNKNOWN = -1, NOT_READ = -2 };
enum { FINE, WRONG, IMPOSSIBLE, RESET_BY_EXEC };

/* What becomes of an attribute: it stays, it is 0, or the kernel may choose. */
enum becomes { STAYS, IS_0, STAYS_OR_IS_0 };

/*
 * Which other tasks a change of the attribute reaches. That of an mm reaches all that share the mm,
 * that of a process its threads. oom_score_adj is a process's, but a change reaches those
 * that share the mm, too. What is taken back when its process ends is not tried.
 */
enum scope { NOT_TRIED, OF_MM, OF_PROCESS, OF_TASK, OF_KILLER };

/*
 * value() reads /proc or asks the kernel; it returns UNKNOWN of another process if only the process
 * itself can read it. `option` is that of prctl(2) which reads the attribute, by the process
 * itself. The last two fields are for set_by_prctl(), and for number_of() and hex_of().
 */
struct attribute {
	const char *name;
	bool (*set)(void);
	int64_t (*value)(pid_t of);
	enum becomes fork, exec;
	enum scope scope;
	int option;
	unsigned long sets[3];    /* option and arguments of prctl(2) */
	const char *file, *field; /* NULL: the file has only the number */
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

static char *map_private(size_t bytes)
{
	return workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
}

static const char *smaps_of(pid_t of)
{
	workload_read_whole(path_of(of, "smaps"), workload_buffer, WORKLOAD_BUFFER);
	return workload_buffer;
}

static bool set_by_prctl(void)
{
	const unsigned long *sets = attribute->sets;

	return !prctl((int)sets[0], sets[1], sets[2], 0UL, 0UL);
}

static int64_t number_of(pid_t of)
{
	return workload_number(path_of(of, attribute->file), attribute->field, UNKNOWN);
}

static int64_t hex_of(pid_t of)
{
	char text[32];

	if (workload_read_text(path_of(of, attribute->file), text, sizeof(text)) <= 0)
		return UNKNOWN;
	return strtoll(text, NULL, 16);
}

static bool filter_set(void)
{
	return workload_try_to_set("/proc/self/coredump_filter", "0x15");
}

static bool oom_score_adj_set(void)
{
	return workload_try_to_set("/proc/self/oom_score_adj", "765");
}

/* Each mapping that KSM may merge has the flag "mg". */
static int64_t merges(pid_t of)
{
	const char *text = smaps_of(of);

	return *text ? strstr(text, " mg") != NULL : UNKNOWN;
}

static int64_t merge_any_of(pid_t of)
{
	char text[512], *at;

	workload_read_text(path_of(of, "ksm_stat"), text, sizeof(text));
	at = strstr(text, "ksm_merge_any: ");
	return at ? !strncmp(at + 15, "yes", 3) : UNKNOWN;
}

static int64_t only_by_prctl(pid_t of)
{
	(void)of;
	return UNKNOWN;
}

static int64_t locked_of(pid_t of)
{
	return workload_number(path_of(of, "status"), "VmLck", UNKNOWN);
}

static bool lock_future(void)
{
	return !mlockall(MCL_FUTURE);
}

static bool lock_future_on_fault(void)
{
	return !mlockall(MCL_FUTURE | MCL_ONFAULT);
}

/* Returns twice how many kB of a new mapping of one page are locked, plus 1 if the page is there.
 */
static int64_t future_locked_of(pid_t of)
{
	int64_t before = locked_of(of), after;
	unsigned char in = 0;
	char *p;

	if (!is_self(of))
		return before;
	p = map_private(page);
	after = locked_of(of);
	if (!p || mincore(p, page, &in))
		return UNKNOWN;
	munmap(p, page);
	return 2 * (after - before) + (in & 1);
}

static bool lock(void)
{
	char *p = map_private(PAGES * page);

	return p && !mlock(p, PAGES * page);
}

/* With CAP_IPC_LOCK some kernels do not count pinned pages. */
static bool pin(void)
{
	struct iovec buffer = { map_private(PAGES * page), PAGES * page };
	struct io_uring_params p = { .flags = 0 };
	int ring;

	workload_set_capability(CAP_IPC_LOCK, false);
	ring = (int)syscall(SYS_io_uring_setup, 4, &p);
	return buffer.iov_base && ring >= 0 &&
	       syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS, &buffer, 1) >= 0;
}

static char *paged_out;

static bool page_out(void)
{
	paged_out = map_private(PAGES * page);
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

static bool map_hugetlb(int flags)
{
	size_t bytes = workload_hugetlb_bytes();
	char *p = bytes ? workload_try_map(bytes, PROT_READ | PROT_WRITE, flags | MAP_HUGETLB, -1)
			: NULL;

	if (p)
		*p = 1;
	return p;
}

static bool hugetlb_private(void)
{
	return map_hugetlb(MAP_PRIVATE);
}

static bool hugetlb_shared(void)
{
	return map_hugetlb(MAP_SHARED);
}

static const unsigned long node_0 = 1;

static bool bind_to_node_0(void)
{
	return !syscall(SYS_set_mempolicy, MPOL_BIND, &node_0, 8 * sizeof(node_0));
}

static bool bind_mapping(void)
{
	char *p = map_private(page);

	if (!p || syscall(SYS_mbind, p, page, MPOL_BIND, &node_0, 8 * sizeof(node_0), 0))
		return false;
	*p = 1;
	return true;
}

/* Mappings without a policy of their own show that of the task. */
static int64_t bound(pid_t of)
{
	workload_read_whole(path_of(of, "numa_maps"), workload_buffer, WORKLOAD_BUFFER);
	return *workload_buffer ? strstr(workload_buffer, " bind:0 ") != NULL : UNKNOWN;
}

static bool persona(void)
{
	return personality(ADDR_NO_RANDOMIZE | ADDR_COMPAT_LAYOUT) >= 0;
}

/*
 * Without CAP_SYS_RESOURCE no process can write less to oom_score_adj than was last written with
 * it.
 */
enum { LEAST_ADJ = 300 };

static bool least_adj_set(void)
{
	static const char adj[] = "/proc/self/oom_score_adj";

	return !workload_set_capability(CAP_SYS_RESOURCE, true) &&
	       workload_try_to_set_number(adj, LEAST_ADJ);
}

static int64_t least_adj_of(pid_t of)
{
	char adj[64];
	int64_t was;
	bool below, least;

	if (workload_set_capability(CAP_SYS_RESOURCE, false))
		return UNKNOWN;
	snprintf(adj, sizeof(adj), "%s", path_of(of, "oom_score_adj"));
	was = workload_number(adj, NULL, UNKNOWN);
	below = workload_try_to_set_number(adj, LEAST_ADJ - 1);
	least = workload_try_to_set_number(adj, LEAST_ADJ);
	workload_try_to_set_number(adj, was);
	return was == UNKNOWN || !least ? UNKNOWN : below ? 0 : LEAST_ADJ;
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
	LEAST_SCORE_ADJ,
	THP_DISABLE,
	THP_DISABLE_SOME,
	MEMORY_MERGE,
	MERGE_ANY,
	MDWE,
	MDWE_NO_INHERIT,
	LOCK_FUTURE,
	LOCK_FUTURE_ON_FAULT,
	LOCKED,
	PINNED,
	SWAPPED_OUT,
	HUGETLB_PRIVATE,
	HUGETLB_SHARED,
	POLICY,
	MAPPING_POLICY,
	PERSONALITY,
};

static const struct attribute attributes[] = {
	[FILTER] = { "coredump_filter", filter_set, hex_of, STAYS, STAYS, .scope = OF_MM,
	  .file = "coredump_filter" },
	[OOM_SCORE_ADJ] = { "oom_score_adj", oom_score_adj_set, number_of, STAYS, STAYS,
	  .scope = OF_KILLER, .file = "oom_score_adj" },
	[OOM_ADJ] = { "oom_adj", oom_score_adj_set, number_of, STAYS, STAYS, .scope = OF_KILLER,
	  .file = "oom_adj" },
	[LEAST_SCORE_ADJ] = { "the least oom_score_adj", least_adj_set, least_adj_of, STAYS, STAYS,
	  .scope = OF_KILLER },
	[THP_DISABLE] = { "THP_enabled", set_by_prctl, number_of, STAYS, STAYS, .scope = OF_MM,
	  .option = PR_GET_THP_DISABLE, .sets = { PR_SET_THP_DISABLE, 1 }, .file = "status",
	  .field = "THP_enabled" },
	[THP_DISABLE_SOME] = { "PR_THP_DISABLE_EXCEPT_ADVISED (Linux 6.18)", set_by_prctl,
	  number_of, STAYS, STAYS, .scope = OF_MM, .option = PR_GET_THP_DISABLE,
	  .sets = { PR_SET_THP_DISABLE, 1, PR_THP_DISABLE_EXCEPT_ADVISED }, .file = "status",
	  .field = "THP_enabled" },
	[MEMORY_MERGE] = { "PR_SET_MEMORY_MERGE (Linux 6.4)", set_by_prctl, merges, STAYS,
	  STAYS_OR_IS_0, .scope = OF_MM, .option = PR_GET_MEMORY_MERGE,
	  .sets = { PR_SET_MEMORY_MERGE, 1 } },
	[MERGE_ANY] = { "ksm_merge_any of ksm_stat (Linux 6.16)", set_by_prctl, merge_any_of, STAYS,
	  STAYS, .scope = OF_MM, .option = PR_GET_MEMORY_MERGE,
	  .sets = { PR_SET_MEMORY_MERGE, 1 } },
	[MDWE] = { "PR_SET_MDWE (Linux 6.3)", set_by_prctl, only_by_prctl, STAYS, STAYS,
	  .scope = OF_MM, .option = PR_GET_MDWE,
	  .sets = { PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN } },
	[MDWE_NO_INHERIT] = { "PR_MDWE_NO_INHERIT (Linux 6.6)", set_by_prctl, only_by_prctl, IS_0,
	  IS_0, .scope = OF_MM, .option = PR_GET_MDWE,
	  .sets = { PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN | PR_MDWE_NO_INHERIT } },
	[LOCK_FUTURE] = { "MCL_FUTURE", lock_future, future_locked_of, IS_0, IS_0, .scope = OF_MM },
	[LOCK_FUTURE_ON_FAULT] = { "MCL_ONFAULT", lock_future_on_fault, future_locked_of, IS_0,
	  IS_0, .scope = OF_MM },
	[LOCKED] = { "VmLck", lock, locked_of, IS_0, IS_0, .scope = OF_MM },
	[PINNED] = { "VmPin, by io_uring", pin, number_of, IS_0, IS_0, .scope = NOT_TRIED,
	  .file = "status", .field = "VmPin" },
	[SWAPPED_OUT] = { "Swap of smaps", page_out, swapped_of, STAYS, IS_0, .scope = NOT_TRIED },
	[HUGETLB_PRIVATE] = { "HugetlbPages of a private page", hugetlb_private, number_of, STAYS,
	  IS_0, .scope = OF_MM, .file = "status", .field = "HugetlbPages" },
	[HUGETLB_SHARED] = { "HugetlbPages of a shared page", hugetlb_shared, number_of,
	  STAYS_OR_IS_0, IS_0, .scope = OF_MM, .file = "status", .field = "HugetlbPages" },
	[POLICY] = { "the memory policy in numa_maps", bind_to_node_0, bound, STAYS, STAYS,
	  .scope = OF_TASK },
	[MAPPING_POLICY] = { "a mapping's policy in numa_maps", bind_mapping, bound, STAYS, IS_0,
	  .scope = OF_MM },
	[PERSONALITY] = { "personality", persona, hex_of, STAYS, STAYS, .scope = OF_TASK,
	  .file = "personality" },
}, limits = { "limits", limit_set, limit_of, STAYS, STAYS, .scope = OF_PROCESS };

#endif
