// SPDX-License-Identifier: MIT
/*
 * The library inside rssck-workload and rssck-worker. The steps of cases use only its public part,
 * <rssck/workload.h>.
 */
#ifndef RSSCK_AGENT_H
#define RSSCK_AGENT_H

#include "protocol.h"
#include <pthread.h>
#include <setjmp.h>

enum { RANGES_MAX = 4096, FILES_MAX = 64 };

struct range {
	char *start;
	size_t bytes;
	unsigned request; /* the request during which it was mapped */
};

struct agent_thread {
	pthread_t id;
	struct workload *w;
	unsigned index;
};

enum thread_order { ORDER_RUN, ORDER_END };

struct workload_private {
	const struct testcase *c;
	struct hello hello;
	int channel;
	sigjmp_buf step_over;
	void (*serve)(struct workload
			      *w); /* the runtime's loop, for a forked child; it does not return */
	unsigned request;          /* number of requests so far, including the current one */
	struct act acts[ACT_THREADS];
	unsigned nr_acts;
	struct reply reply;
	struct range ranges[RANGES_MAX];
	unsigned nr_ranges;
	int files[FILES_MAX];
	const char *file_call; /* the system call that failed when the last file was made */
	unsigned nr_files, nr_files_before; /* number of open files: now, and before this step */
	int settle_file, settle_shmem;      /* files whose pages are mapped and zapped to settle
					       counters; made before the baseline */
	pid_t pid[WORKLOAD_PROCESSES];
	bool channel_closed[WORKLOAD_PROCESSES];
	char cgroup[64], home_cgroup[512]; /* the state of workload_cgroup_enter() */
	bool cgroup_had_children;
	char cgroup_wrong[128]; /* what workload_cgroup_leave() found wrong, which fails the step;
				   "" if nothing */

	/* The threads of workload_threads(). */
	struct agent_thread threads[WORKLOAD_THREADS];
	unsigned nr_threads;
	bool keeps_threads; /* release_all() must not end the threads */
	void (*thread_fn)(struct workload *w, unsigned index);
	pthread_mutex_t lock;
	pthread_cond_t ordered, obeyed;
	enum thread_order order;
	unsigned order_serial;
	unsigned nr_obeyed;
	struct settle_plan plan;
};

/*
 * Before the baseline the stack is grown by AGENT_STACK_BYTES or, if RLIMIT_STACK is less than
 * twice that, by half of RLIMIT_STACK, but at least by AGENT_STACK_LEAST.
 */
enum { AGENT_STACK_BYTES = 96 << 10, AGENT_STACK_LEAST = 24 << 10 };

/* Faults in the pages that the program itself needs, so that later faults belong to the steps. */
void agent_prefault(struct workload *w);

/*
 * Calls PAGEMAP_SCAN on this process; sets arg->size. Returns the number of ranges, or -1 with
 * errno.
 */
struct scan_arg;
int agent_scan(struct scan_arg *arg);

/*
 * Reads a numeric field of a line of /proc/PID/stat. Fields are counted from 1. Returns false if
 * there is no such field.
 */
bool stat_field(const char *line, unsigned field, int64_t *value);

void agent_locks_init(struct workload_private *p);

/*
 * agent_threads_begin() makes every thread call a function, and does not wait.
 * agent_threads_await() waits until all threads have returned from it.
 */
void agent_threads_begin(struct workload *w, void (*fn)(struct workload *w, unsigned index));
void agent_threads_await(struct workload *w);

/*
 * Handle system calls that fail whatever their arguments are: the kernel lacks them, or a filter
 * forbids them. Call agent_refused_forget() before a step. agent_refused_skips() turns the reply
 * into a skip if the step met such a call.
 */
void agent_refused_forget(void);
void agent_refused_skips(struct reply *r);

/* Writes to a file of the cgroup at a path. Returns false with errno on failure. */
bool agent_cgroup_write(const char *directory, const char *file, const char *text);

/*
 * True if a filter of system calls (seccomp) or a security module may have caused the error: under
 * a filter any call may fail with EPERM or ENOSYS, whatever the kernel would do; Landlock, AppArmor
 * and SELinux fail with EACCES, even for root.
 */
bool agent_may_be_filtered(int error);

/* Unmaps and closes what this step has mapped and opened. */
void agent_undo_step(struct workload *w);

#endif
