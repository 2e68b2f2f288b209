// SPDX-License-Identifier: MIT
/* Calls an act repeatedly in another process while the workload continues. */
#include "agent.h"
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Both processes map it MAP_SHARED. */
struct beside {
	volatile bool go, stop, stopped;
	volatile int64_t acts;
	pid_t pid;
};

static _Noreturn void act_until_stopped(const struct workload *w, struct beside *b,
					workload_act *act, pid_t of)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (w->nr_cpus > 1)
		cpus_keep_to_one(w->cpus[1]);
	while (!b->go)
		sched_yield();
	while (!b->stop)
		b->acts += act(w, of);
	b->stopped = true;
	for (;;)
		pause();
}

struct beside *workload_beside(struct workload *w, workload_act *act)
{
	struct beside *b = workload_map_pages(w, 1, PROT_READ | PROT_WRITE,
					      MAP_SHARED | MAP_ANONYMOUS, -1);
	pid_t self = getpid(), pid;

	workload_pin(w, w->cpus[0]);
	pid = fork();
	if (pid < 0)
		workload_die(w, "fork: %m");
	if (pid == 0)
		act_until_stopped(w, b, act, self);
	b->pid = pid;
	return b;
}

void workload_beside_go(struct beside *b)
{
	b->go = true;
}

void workload_beside_stop(struct beside *b)
{
	b->stop = true;
	while (!b->stopped && !waitpid(b->pid, NULL, WNOHANG))
		sched_yield();
}

int64_t workload_beside_ends(struct workload *w, struct beside *b)
{
	int64_t acts = b->acts;

	kill(b->pid, SIGKILL);
	waitpid(b->pid, NULL, 0);
	workload_unmap(w, b, w->page_size);
	return acts;
}

int64_t workload_beside_acts(const struct beside *b)
{
	return b->acts;
}

bool workload_migrate_to_and_fro(const struct workload *w, pid_t of, void *start, size_t pages,
				 int how)
{
	int nodes[WORKLOAD_TO_AND_FRO], status[WORKLOAD_TO_AND_FRO];
	void *at[WORKLOAD_TO_AND_FRO];
	static int node;

	node = !node;
	for (size_t i = 0; i < pages; i++) {
		at[i] = (char *)start + i * w->page_size;
		nodes[i] = node;
	}
	return !syscall(SYS_move_pages, of, pages, at, nodes, status, how) && status[0] == 1;
}

ssize_t workload_page_out_of(pid_t of, void *start, size_t bytes)
{
	struct iovec all = { start, bytes };
	static int fd = -1;

	if (fd < 0)
		fd = (int)syscall(SYS_pidfd_open, of, 0);
	return syscall(SYS_process_madvise, fd, &all, 1, MADV_PAGEOUT, 0);
}
