// SPDX-License-Identifier: MIT
/*
 * What move_pages(2), mbind(2) and the like answer about several pages, which pages are on their
 * new node then, and which have a status, if one page, or one entry of an array, is impossible.
 */
#include "../virtual/midway.h"
#include <sched.h>
#include <sys/uio.h>

STEP_SYMBOLS(ASK);

enum {
	CHUNK = 16,           /* move_pages(2) that only asks copies so many entries at a time */
	SYS_HOME_NODE = 450,  /* set_mempolicy_home_node(2), since 5.17 */
	NO_STATUS = -1234567, /* what no call writes */
};

static unsigned here;
static int target[ELEMENTS]; /* nodes */
static int entries = 1;      /* of the arrays, for each element */

/* The arrays of the call; each lies in memory of its own. */
static void **pages;
static int *nodes, *status;

/* ---- elements: pages ---- */

static int node_of(const char *p)
{
	void *one[1] = { (void *)(uintptr_t)p };
	int said = NO_STATUS;

	return syscall(SYS_move_pages, 0L, 1L, one, NULL, &said, 0L) ? NO_STATUS : said;
}

static bool bind_to(unsigned node)
{
	unsigned long mask = 1UL << node;

	return !syscall(SYS_set_mempolicy, (long)MPOL_BIND, &mask, sizeof(mask) * 8);
}

/* An array, with nothing behind the end of its memory. */
static void *make_array(size_t bytes)
{
	size_t room = (bytes + page - 1) / page * page;
	char *p = workload_try_map(room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	return p && !mprotect(p + room, page, PROT_NONE) ? p : NULL;
}

static bool make_arrays(void)
{
	size_t n = ELEMENTS * (size_t)entries;

	pages = make_array(n * sizeof(*pages));
	nodes = make_array(n * sizeof(*nodes));
	status = make_array(n * sizeof(*status));
	if (!pages || !nodes || !status)
		return false;
	for (size_t i = 0; i < n; i++) {
		pages[i] = at((int)i / entries);
		nodes[i] = target[i / (size_t)entries];
		status[i] = NO_STATUS;
	}
	return true;
}

/* Page i is on one node, and shall be on the other one. */
static bool make_pages(bool alternate)
{
	unsigned cpu;

	if (!workload_may_use_node(0) || !workload_may_use_node(1) || getcpu(&cpu, &here) ||
	    here > 1 || !midway_untouched())
		return false;
	for (int i = 0; i < ELEMENTS; i++) {
		unsigned home = alternate && i % 2 ? !here : here;

		target[i] = (int)!home;
		if (!bind_to(home))
			return false;
		*at(i) = 1;
		if (node_of(at(i)) != (int)home)
			return false;
	}
	return !syscall(SYS_set_mempolicy, (long)MPOL_DEFAULT, NULL, 0L) && make_arrays();
}

static bool one_node(void)
{
	return make_pages(false);
}

/* The kernel moves pages to one node at a time, so each page is a batch. */
static bool alternating(void)
{
	return make_pages(true);
}

static bool chunks(void)
{
	entries = CHUNK;
	return make_pages(false);
}

static long move_all(void)
{
	return syscall(SYS_move_pages, 0L, (long)ELEMENTS * entries, pages, nodes, status,
		       (long)MPOL_MF_MOVE);
}

static bool on_other_node(void)
{
	return one_node() && !move_all();
}

/* Each page is a mapping, whose policy can have a home node. */
static bool bound_apart(void)
{
	unsigned long mask = 1UL << here;

	if (!one_node())
		return false;
	for (int i = 0; i < ELEMENTS; i++)
		if ((i % 2 && madvise(at(i), page, MADV_DONTDUMP)) ||
		    syscall(SYS_mbind, at(i), page, (long)MPOL_BIND, &mask, sizeof(mask) * 8, 0L))
			return false;
	return true;
}

/* ---- what is impossible ---- */

static bool no_node(int i)
{
	nodes[i] = -1;
	return true;
}

/* Moves the array so that its memory ends behind element i - 1. */
static void *cut(void *array, size_t size, int i)
{
	size_t bytes = size * (size_t)(ELEMENTS * entries), kept = size * (size_t)(i * entries);
	char *end = (char *)array + (bytes + page - 1) / page * page;

	return memmove(end - kept, array, kept);
}

static bool pages_end(int i)
{
	pages = cut(pages, sizeof(*pages), i);
	return true;
}

static bool nodes_end(int i)
{
	nodes = cut(nodes, sizeof(*nodes), i);
	return true;
}

static bool status_ends(int i)
{
	status = cut(status, sizeof(*status), i);
	return true;
}

/* A reference to the page keeps it from moving. */
static bool pinned(int i)
{
	struct iovec part = { at(i), page };
	int ends[2];

	return !pipe2(ends, O_CLOEXEC) && vmsplice(ends[1], &part, 1, 0) == (ssize_t)page;
}

/* Only the child and this process map the page, which both have touched. */
static bool mapped_by_child(int i)
{
	int ends[2];
	char byte;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) || mmap(at(i), page, PROT_READ | PROT_WRITE,
					   MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != at(i))
		return false;
	*at(i) = 1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (int n = 0; n < ELEMENTS; n++)
			if (n != i)
				munmap(at(n), page);
		*at(i) = 2;
		(void)!write(ends[1], "", 1);
		pause();
		_exit(0);
	}
	return pid > 0 && read(ends[0], &byte, 1) == 1;
}

static bool moved_back(int i)
{
	void *one[1] = { at(i) };
	int to = (int)here, said;

	return !syscall(SYS_move_pages, 0L, 1L, one, &to, &said, (long)MPOL_MF_MOVE) &&
	       said == (int)here;
}

static bool preferred(int i)
{
	unsigned long mask = 1UL << here;

	return !syscall(SYS_mbind, at(i), page, (long)MPOL_PREFERRED, &mask, sizeof(mask) * 8, 0L);
}

/* ---- calls ---- */

static long ask_all(void)
{
	return syscall(SYS_move_pages, 0L, (long)ELEMENTS * entries, pages, NULL, status, 0L);
}

static long bind_all(int how)
{
	unsigned long mask = 1UL << !here;

	return syscall(SYS_mbind, place, ELEMENTS * page, (long)MPOL_BIND, &mask, sizeof(mask) * 8,
		       (long)how);
}

static long bind_and_move(void)
{
	return bind_all(MPOL_MF_MOVE);
}

static long bind_and_move_strictly(void)
{
	return bind_all(MPOL_MF_MOVE | MPOL_MF_STRICT);
}

static long bind_strictly(void)
{
	return bind_all(MPOL_MF_STRICT);
}

/* The number of pages that did not move includes others of the process. */
static long migrate(void)
{
	unsigned long old = 1UL << here, new = 1UL << !here;

	return syscall(SYS_migrate_pages, 0L, sizeof(old) * 8, &old, &new) < 0 ? -1 : 0;
}

static long set_home(void)
{
	return syscall(SYS_HOME_NODE, place, ELEMENTS * page, (long)here, 0L);
}

/* ---- effects ---- */

static bool is_there(int i)
{
	return node_of(at(i)) == target[i];
}

static int status_of(int i)
{
	struct iovec local, remote = { status + i * entries, sizeof(*status) };
	int said = NO_STATUS;

	local = (struct iovec) { &said, sizeof(said) };
	return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == sizeof(said) ? said
										    : NO_STATUS;
}

static bool has_new_node(int i)
{
	return status_of(i) == target[i];
}

static bool has_node(int i)
{
	return status_of(i) == (int)here;
}

static bool is_bound(int i)
{
	int mode = -1;

	return !syscall(SYS_get_mempolicy, &mode, NULL, 0L, at(i), (long)MPOL_F_ADDR) &&
	       mode == MPOL_BIND;
}

/* clang-format off */
static const struct midway rows[] = {
	{ ROW("move_pages, no such node", one_node, no_node, move_all, is_there), LAW(STOPS, ENODEV) },
	{ ROW("move_pages, no such node: status", one_node, no_node, move_all, has_new_node), LAW(STOPS, ENODEV) },
	{ ROW("move_pages in batches, no such node", alternating, no_node, move_all, is_there), LAW(STOPS, ENODEV) },
	{ ROW("move_pages, pages end", one_node, pages_end, move_all, is_there), LAW(STOPS, EFAULT) },
	{ ROW("move_pages, pages end: status", one_node, pages_end, move_all, has_new_node), LAW(STOPS, EFAULT) },
	{ ROW("move_pages in batches, pages end", alternating, pages_end, move_all, is_there), LAW(STOPS, EFAULT) },
	{ ROW("move_pages, nodes end", one_node, nodes_end, move_all, is_there), LAW(STOPS, EFAULT) },
	{ ROW("move_pages, nodes end: status", one_node, nodes_end, move_all, has_new_node), LAW(STOPS, EFAULT) },
	{ ROW("move_pages, status ends", one_node, status_ends, move_all, is_there), LAW(DOES_ALL, EFAULT) },
	{ ROW("move_pages, status ends: status", one_node, status_ends, move_all, has_new_node), LAW(STOPS, EFAULT) },
	{ ROW("move_pages, hole", one_node, midway_hole, move_all, is_there), LAW(IGNORES, 0) },
	{ ROW("move_pages, hole: status", one_node, midway_hole, move_all, has_new_node), LAW(IGNORES, 0) },
	{ ROW("move_pages in batches, hole", alternating, midway_hole, move_all, has_new_node), LAW(IGNORES, 0) },
	{ ROW("move_pages, shared", one_node, mapped_by_child, move_all, is_there), LAW(IGNORES, 0) },
	{ ROW("move_pages, shared: status", one_node, mapped_by_child, move_all, has_new_node), LAW(IGNORES, 0) },
	{ ROW("move_pages, pinned", one_node, pinned, move_all, is_there),
	  DIFFERS("midway.move_pages_pinned", { LEAVES_ONE, 0, "counts it" }, { IGNORES, 0, "does not count it" }) },
	{ ROW("move_pages, pinned: status", one_node, pinned, move_all, has_new_node),
	  DIFFERS("midway.status_of_batch", { LEAVES_UNSAID, 0, "not written" }, { LEAVES_ONE, 0, "written" },
		  { DOES_NOTHING, 0, "not written, result 0" }) },
	{ ROW("move_pages in batches, pinned", alternating, pinned, move_all, is_there),
	  DIFFERS("midway.move_pages_batches", { LEAVES_REST, 0, "it and the rest" }, { LEAVES_BEHIND, 0, "the rest" }) },
	{ ROW("move_pages in batches, pinned: status", alternating, pinned, move_all, has_new_node),
	  EITHER({ LEAVES_REST, 0, "" }, { LEAVES_BEHIND, 0, "" }) },
	{ ROW("move_pages that asks, pages end", chunks, pages_end, ask_all, has_node), LAW(STOPS, EFAULT) },
	{ ROW("move_pages that asks, status ends", chunks, status_ends, ask_all, has_node), LAW(STOPS, EFAULT) },
	{ ROW("move_pages that asks, hole", chunks, midway_hole, ask_all, has_node), LAW(IGNORES, 0) },

	{ ROW("mbind that moves, pinned", one_node, pinned, bind_and_move, is_there), LAW(IGNORES, 0) },
	{ ROW("mbind that moves, shared", one_node, mapped_by_child, bind_and_move, is_there), LAW(IGNORES, 0) },
	{ ROW("mbind that must move, pinned", one_node, pinned, bind_and_move_strictly, is_there), LAW(GOES_ON, EIO) },
	{ ROW("mbind that must move, pinned: policy", one_node, pinned, bind_and_move_strictly, is_bound), LAW(DOES_ALL, EIO) },
	{ ROW("mbind that must move, shared", one_node, mapped_by_child, bind_and_move_strictly, is_there),
	  DIFFERS("midway.mbind_strict_shared", { IGNORES, 0, "works" }, { GOES_ON, EIO, "fails with EIO" }) },
	{ ROW("mbind that must move, shared: policy", one_node, mapped_by_child, bind_and_move_strictly, is_bound),
	  EITHER({ SUCCEEDS, 0, "" }, { DOES_ALL, EIO, "" }) },
	{ ROW("mbind, strict, other node", on_other_node, moved_back, bind_strictly, is_bound), LAW(REFUSES, EIO) },
	{ ROW("migrate_pages, pinned", one_node, pinned, migrate, is_there), LAW(IGNORES, 0) },
	{ ROW("set_mempolicy_home_node, other policy", bound_apart, preferred, set_home, NULL), LAW(STOPS, EOPNOTSUPP) },
};
/* clang-format on */

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static void ask(struct workload *w)
{
	if (!workload_may_use_node(0) || !workload_may_use_node(1))
		workload_skip(w, "memory on the nodes 0 and 1");
	midway_report(w, rows, ROWS);
}

static void judge(const struct trial *t, struct judgement *j)
{
	midway_judge(t, j, ASK, rows, ROWS);
}

CASE(machine_midway_arrays) {
	.claim =
		"move_pages(2) stops at an entry with a bad node and at the end of an array, and the pages before it are on their new node, with a status; a page that is not there or shared gets a status, and the others move. At a pinned page it stops behind the batch, and returns how many pages are not moved (some kernels do not count the page itself). mbind(2) moves the others, sets the policy of all, and with MPOL_MF_STRICT fails if a page is pinned",
	.because =
		"do_pages_move() gathers neighbouring entries for the same node, and migrates and reports them together; a positive result of migrate_pages() ends it. do_mbind() sets the policy before it migrates.",
	.said_by = SAID_BY("move_pages(2)", "mbind(2), EIO", "migrate_pages(2)",
			   "set_mempolicy_home_node(2)"),
	.needs = NEEDS("root"),
	.flags = CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(ASK, "each call, each place", ask, .checks = 1)),
	.facts = FACTS(
		FACT("midway.move_pages_pinned",
		     "If move_pages(2) cannot move one page of the last batch, its result",
		     "counts it|does not count it"),
		FACT("midway.move_pages_batches",
		     "If move_pages(2) cannot move a page and stops there, its result counts",
		     "it and the rest|the rest"),
		FACT("midway.status_of_batch",
		     "If move_pages(2) cannot move one page of a batch, the statuses of the others are",
		     "not written|written|not written, result 0"),
		FACT("midway.mbind_strict_shared",
		     "If a page is shared with another process, mbind(2) with MPOL_MF_MOVE and MPOL_MF_STRICT",
		     "works|fails with EIO")),
	.judge = judge,
};
