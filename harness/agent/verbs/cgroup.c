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

enum { PAGES = 64, TASKS = ACT_HELPERS, PATIENCE_S = 8, RECLAIM_S = 3 };

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
	uint64_t words[PAGES], at = (uintptr_t)p;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	bool read = pagemap_entries(fd, (long)k->page, at, at + PAGES * k->page, words) == PAGES;
	int64_t frames = 0;

	for (unsigned i = 0; read && i < PAGES; i++)
		frames += is_first(words, i);
	if (fd >= 0)
		close(fd);
	return frames;
}

/* The kernel looks at the cgroup's pages alone; some it takes when it is asked again. */
static void page_out(struct worker *k, char *p)
{
	char path[128];
	struct patience patience = { .seconds = RECLAIM_S };

	snprintf(path, sizeof(path), "%s/memory.reclaim", k->w->private->cgroup);
	madvise(p, PAGES * k->page, MADV_PAGEOUT);
	while (workload_pages_swapped(k->w, p, PAGES) < PAGES) {
		if (!workload_try_to_set(path, "8M") && errno == ENOENT)
			return;
		if (!workload_pause(&patience))
			return;
	}
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

static void fill(const struct worker *k, char *p, bool alike)
{
	for (unsigned i = 0; i < PAGES; i++)
		snprintf(p + i * k->page, 32, "%d %u", (int)getpid(), alike ? 0 : i);
}

/*
 * Written, merged by KSM or not, gone to swap and come back: whichever frames there are then, each
 * is charged to who has brought it (mem_cgroup_swapin_charge_folio(), ksm_might_need_to_copy()).
 */
static void charge(struct worker *k, char *p, bool merge)
{
	int64_t frames;

	fill(k, p, merge);
	if (merge && !act_merge_all(p, PAGES * k->page)) {
		errno = EBUSY;
		act_result(k, -1);
		return;
	}
	page_out(k, p);
	touch_read(k->w, p, PAGES);
	frames = frames_of(k, p);
	k->outcome.seen = await(k, "anon", frames) - frames;
}

void verb_cgroup_swap(struct worker *k, const struct act *a)
{
	char *p;

	(void)a;
	if (!act_has_cgroup(k))
		return;
	workload_cgroup_enter(k->w);
	p = mmap(NULL, PAGES * k->page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	act_result(k, p == MAP_FAILED ? -1 : 0);
	if (p != MAP_FAILED) {
		charge(k, p, k->verb->value);
		munmap(p, PAGES * k->page);
	}
	workload_cgroup_leave(k->w);
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
