// SPDX-License-Identifier: MIT
/*
 * Verbs: what a cgroup of one's own counts. What is there before stays the root's, which counts
 * nothing: so it is about memory and tasks that the act makes, and takes away again.
 */
#include "agent/agent.h"
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <rssck/source.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 64, TABLE = 512, TASKS = ACT_HELPERS, PATIENCE_S = 8, RECLAIM_S = 3 };

/* Present, and in no frame of those before. */
static bool is_first(const uint64_t *words, unsigned i)
{
	for (unsigned k = 0; k < i; k++)
		if (words[k] & PAGEMAP_PRESENT && PAGEMAP_PFN(words[k]) == PAGEMAP_PFN(words[i]))
			return false;
	return words[i] & PAGEMAP_PRESENT;
}

/* Frames that the pages of the range are in. */
static int64_t frames_of(const struct worker *k, const char *p)
{
	uint64_t words[PAGES];
	bool read = !act_entries(k, p, PAGES, words);
	int64_t frames = 0;

	for (unsigned i = 0; read && i < PAGES; i++)
		frames += is_first(words, i);
	return frames;
}

/* The kernel looks at the cgroup's pages alone; some it takes when it is asked again. */
static void page_out(struct worker *k, char *p, size_t pages)
{
	struct patience patience = { .seconds = RECLAIM_S };

	madvise(p, pages * k->page, MADV_PAGEOUT);
	while (workload_pages_swapped(k->w, p, pages) < (int64_t)pages)
		if (!agent_cgroup_reclaim(k->w) || !workload_pause(&patience))
			return;
}

/* memory.stat comes a while later, every two seconds (flush_memcg_stats_dwork()). */
static int64_t await(struct worker *k, const char *field, int64_t expected)
{
	struct patience patience = { .seconds = PATIENCE_S };
	int64_t is;

	do
		is = workload_cgroup_pages(k->w, "memory.stat", field);
	while (is != expected && workload_pause(&patience));
	return is;
}

static void fill(const struct worker *k, char *p, size_t pages, bool alike)
{
	for (unsigned i = 0; i < pages; i++)
		snprintf(p + i * k->page, 32, "%d %u", (int)getpid(), alike ? 0 : i);
}

/*
 * Written, merged by KSM or not, gone to swap and come back: whichever frames there are then, each
 * is charged to who has brought it (mem_cgroup_swapin_charge_folio(), ksm_might_need_to_copy()).
 */
static void charge(struct worker *k, const struct act *a, char *p)
{
	bool merge = k->verb->value;
	int64_t frames;

	(void)a;
	fill(k, p, PAGES, merge);
	if (merge && !act_merge_all(p, PAGES * k->page)) {
		errno = EBUSY;
		act_result(k, -1);
		return;
	}
	page_out(k, p, PAGES);
	touch_read(k->w, p, PAGES);
	frames = frames_of(k, p);
	k->outcome.seen = await(k, "anon", frames) - frames;
}

/* So many fresh pages, in a cgroup of its own. */
static void ask_in_cgroup(struct worker *k, const struct act *a, size_t pages,
			  void (*ask)(struct worker *k, const struct act *a, char *p))
{
	char *p;

	if (!act_has_cgroup(k))
		return;
	workload_cgroup_enter(k->w);
	p = mmap(NULL, pages * k->page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	act_result(k, p == MAP_FAILED ? -1 : 0);
	if (p != MAP_FAILED) {
		ask(k, a, p);
		munmap(p, pages * k->page);
	}
	workload_cgroup_leave(k->w);
}

void verb_cgroup_swap(struct worker *k, const struct act *a)
{
	ask_in_cgroup(k, a, PAGES, charge);
}

static int64_t on_swap(const struct worker *k)
{
	return workload_cgroup_pages(k->w, "memory.swap.current", NULL);
}

/* Nothing of it is in memory, nor in the swap cache. */
static bool swap_out_all(struct worker *k, char *p)
{
	fill(k, p, TABLE, false);
	page_out(k, p, TABLE);
	return workload_pages_swapped(k->w, p, TABLE) == TABLE &&
	       workload_cgroup_pages(k->w, "memory.stat", "swapcached") >= 0 &&
	       workload_cgroup_empties_swap_cache(k->w) && on_swap(k) >= TABLE;
}

/*
 * What is on swap goes in batches (free_swap_and_cache_nr()). Where it is in the swap cache still
 * it goes when that does, and a CPU keeps 64 freed slots to itself (SWAP_SLOTS_CACHE_SIZE, to
 * 6.13).
 */
static void free_swapped(struct worker *k, const struct act *a, char *p)
{
	static const int advice[] = { 0, MADV_DONTNEED, MADV_FREE };
	int64_t kept = CGROUP_BATCH * sysconf(_SC_NPROCESSORS_CONF), left;
	struct patience patience = { .seconds = PATIENCE_S };
	bool out = kept < TABLE / 2 && swap_out_all(k, p);

	errno = EAGAIN;
	act_result(k, out ? 0 : -1);
	if (!out)
		return;
	if (a->option)
		madvise(p, TABLE * k->page, advice[a->option]);
	else
		mmap(p, TABLE * k->page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	while ((left = on_swap(k)) > kept && agent_cgroup_reclaim(k->w) &&
	       workload_pause(&patience))
		;
	k->outcome.seen = left > kept ? left : 0;
}

void verb_cgroup_freed(struct worker *k, const struct act *a)
{
	ask_in_cgroup(k, a, TABLE, free_swapped);
}

/* Processes that only wait: each has a stack in the kernel. */
static void start(struct worker *k, pid_t pid[TASKS])
{
	for (int i = 0; i < TASKS; i++) {
		pid[i] = fork();
		act_result(k, pid[i]);
		while (!pid[i])
			pause();
	}
}

static void finish(const pid_t pid[TASKS])
{
	for (int i = 0; i < TASKS; i++)
		if (pid[i] > 0)
			kill(pid[i], SIGKILL);
	for (int i = 0; i < TASKS; i++)
		if (pid[i] > 0)
			waitpid(pid[i], NULL, 0);
}

/* A stack is given back some time after its task is reaped (RCU); some are kept for the next. */
static void await_stacks_gone(struct worker *k, int64_t most)
{
	enum { ENOUGH = 3 };
	struct patience patience = { .seconds = PATIENCE_S };
	int grace_periods = 0;
	int64_t left;

	while ((left = workload_cgroup_events(k->w, "kernel_stack")) > most &&
	       workload_pause(&patience))
		grace_periods += !syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	errno = EAGAIN;
	if (left > most && grace_periods < ENOUGH)
		act_result(k, -1);
	k->outcome.expected = 0;
	k->outcome.seen = left > most ? left : 0;
}

/*
 * account_kernel_stack(). Those that are kept for the next (two a CPU, kernel/fork.c) stay charged
 * to their cgroup on some kernels: less than a part.
 */
static void count_stacks(struct worker *k)
{
	enum { LEAST = 4096, PART = 4 };
	struct patience patience = { .seconds = PATIENCE_S };
	pid_t pid[TASKS];
	int64_t there;

	start(k, pid);
	while ((there = workload_cgroup_events(k->w, "kernel_stack")) < TASKS * LEAST &&
	       workload_pause(&patience))
		;
	/* cgroup.memory=nokmem: it pays for nothing of the kernel's. */
	errno = EOPNOTSUPP;
	if (!there && !workload_cgroup_events(k->w, "slab"))
		act_result(k, -1);
	finish(pid);
	act_at_least(k, there, TASKS * LEAST);
	if (there >= TASKS * LEAST)
		await_stacks_gone(k, there / PART);
}

void verb_cgroup_tasks(struct worker *k, const struct act *a)
{
	(void)a;
	if (!act_has_cgroup(k))
		return;
	workload_cgroup_enter(k->w);
	count_stacks(k);
	workload_cgroup_leave(k->w);
}
