// SPDX-License-Identifier: MIT
/*
 * rssck-workload is the process whose memory accounting is checked. It is a small, static program
 * of its own, so that it shares no file pages with rssck. It runs natively even if rssck runs under
 * valgrind or a sanitizer.
 */
#include "base/memory.h"
#include "runtime.h"
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <rssck/uapi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * For step_exec(): between exec and waiting, the process runs nothing of the runtime, neither
 * prefaulting nor settling.
 */
static _Noreturn void stay_fresh(void)
{
	char byte = 0;

	if (write(CHANNEL_FD, &byte, 1) == 1)
		while (read(CHANNEL_FD, &byte, 1) < 0 && errno == EINTR)
			;
	_exit(0);
}

/*
 * Half of the stack is grown before the baseline. The rest is for the data that the kernel and the
 * C library put on it.
 */
static void must_have_stack(struct workload *w)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_STACK, &l) == 0 && l.rlim_cur < 2 * AGENT_STACK_LEAST)
		workload_skip(w, "a stack of %d kB; RLIMIT_STACK is %llu kB: raise it (ulimit -s)",
			      2 * AGENT_STACK_LEAST / 1024, (unsigned long long)l.rlim_cur / 1024);
}

/*
 * The first settling fills these files. Their pages stay cached, so that later settlings map
 * existing pages.
 */
static void open_settle_files(struct workload *w)
{
	struct workload_private *p = w->private;
	size_t pages = w->page_size / sizeof(void *);

	p->settle_file = workload_file_or_program(w, pages);
	if (p->settle_file < 0)
		workload_die(w, "a file of %zu pages in %s: %s(2): %m", pages, p->hello.directory,
			     p->file_call);
	p->settle_shmem = workload_shmem_or_none(w, pages);
}

/*
 * Maps a page without access beside a heap made by mmap(2) (with musl, or without brk(2)), so that
 * a step's mappings do not merge with that heap.
 */
static void fence_heap(const struct workload *w)
{
	if (mmap(NULL, w->page_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
		memory_gone("the page behind the heap");
}

/* If a part of this fails, the first reply reports it, as for a step. */
static void prepare(struct workload *w)
{
	if (sigsetjmp(w->private->step_over, 0))
		return;
	must_have_stack(w);
	open_settle_files(w);
	agent_prefault(w);
	fence_heap(w);
}

/* Allocated, because an array for HOST_CPUS_MAX CPUs in .bss would count in every workload. */
static const int *agent_cpu_list(const struct cpu_mask *m, unsigned nr)
{
	int *list = calloc(nr ? nr : 1, sizeof(*list));

	if (!list)
		memory_gone("a list of CPUs");
	cpus_list(m, list);
	return list;
}

/*
 * Sets the default memory policy, the local node, explicitly. NUMA balancing ignores a process with
 * a policy of its own (vma_policy_mof()); otherwise it unmaps pages to provoke faults, which are
 * counted. If a filter forbids the call, balancing stays on.
 */
static void keep_from_numa_balancing(void)
{
	syscall(SYS_set_mempolicy, MPOL_LOCAL, NULL, 0);
}

/* Keeps malloc(3) from returning heap memory to the kernel during a step. */
static void keep_heap(void)
{
#ifdef M_TRIM_THRESHOLD
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

int main(int argc, char **argv)
{
	/* static, so that they are in .bss, which is touched before the baseline */
	static struct workload_private private;
	static struct workload w;

	if (argc == 2 && !strcmp(argv[1], "--fresh"))
		stay_fresh();
	if (argc == 2 && !strcmp(argv[1], "--does-it-run"))
		return 0;
	/* What a new program reads of itself, for fork/inherited. */
	if (argc == 3 && !strcmp(argv[1], "--prctl"))
		return atoi(argv[2]) ? prctl(atoi(argv[2]), 0, 0, 0, 0) : 0;
	/* A program executed by its descriptor may get the descriptor's number as its name. */
	prctl(PR_SET_NAME, "rssck-workload", 0, 0, 0);
	private.c = argc == 2 ? testcase_by_id(argv[1]) : NULL;
	if (!private.c) {
		fprintf(stderr, "rssck-workload: only rssck can start this program (case '%s')\n",
			argc > 1 ? argv[1] : "");
		return 2;
	}

	w.private = &private;
	private.serve = serve;
	keep_heap();
	private.channel = CHANNEL_FD;
	if (recv(private.channel, &private.hello, sizeof(private.hello), 0) !=
	    sizeof(private.hello)) {
		perror("rssck-workload: recv(2)");
		return 2;
	}
	/*
	 * Whether a huge page is allocated depends on free memory, so huge pages are disabled.
	 * Cases that need them set CASE_THP.
	 */
	prctl(PR_SET_THP_DISABLE, !(private.c->flags & CASE_THP), 0, 0, 0);
	keep_from_numa_balancing();
	w.page_size = (size_t)sysconf(_SC_PAGESIZE);
	w.huge_page_size = private.hello.huge_page_size;
	w.huge = (int64_t)(w.huge_page_size / w.page_size);
	w.nr_cpus = cpus_count(&private.hello.cpus);
	w.cpus = agent_cpu_list(&private.hello.cpus, w.nr_cpus);
	agent_locks_init(&private);
	private.reply.kind = REPLY_DONE;
	prepare(&w);
	private.reply.pid[0] = getpid();
	private.pid[0] = getpid();
	send(private.channel, &private.reply, sizeof(private.reply), MSG_NOSIGNAL);
	serve(&w);
}
