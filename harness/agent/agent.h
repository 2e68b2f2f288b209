// SPDX-License-Identifier: MIT
/* The library inside rssck-workload; steps see <rssck/workload.h> only. */
#ifndef RSSCK_AGENT_H
#define RSSCK_AGENT_H

#include "protocol.h"
#include <pthread.h>
#include <setjmp.h>

enum { RANGES_MAX = 4096, FILES_MAX = 64 };

struct range {
	char *start;
	size_t bytes;
	unsigned request; /* while which it was mapped */
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
	void (*serve)(struct workload *w); /* the runtime's loop, for a child: it does not return */
	unsigned request;                  /* how many there were */
	struct act acts[ACT_THREADS];      /* of this request */
	unsigned nr_acts;
	struct reply reply;
	struct range ranges[RANGES_MAX];
	unsigned nr_ranges;
	int files[FILES_MAX];
	const char *file_call;              /* the call by which the last file was not made */
	unsigned nr_files, nr_files_before; /* and how many there were before this step */
	int settle_file, settle_shmem;      /* pages to map and zap; made before the baseline */
	pid_t pid[WORKLOAD_PROCESSES];
	bool channel_closed[WORKLOAD_PROCESSES];
	char cgroup[64], home_cgroup[512]; /* of workload_cgroup_enter() */

	/* The threads of workload_threads(). */
	struct agent_thread threads[WORKLOAD_THREADS];
	unsigned nr_threads;
	bool keeps_threads; /* when everything is unmapped at the end */
	void (*thread_fn)(struct workload *w, unsigned index);
	pthread_mutex_t lock;
	pthread_cond_t ordered, obeyed;
	enum thread_order order;
	unsigned order_serial;
	unsigned nr_obeyed;
	struct settle_plan plan;
};

/* How deep the stack is made before the baseline: more than any step needs. */
enum { AGENT_STACK_BYTES = 96 << 10, AGENT_STACK_LEAST = 24 << 10 };

/* Touch every page that the program itself needs, so that nothing of it faults later. */
void agent_prefault(struct workload *w);

/* PAGEMAP_SCAN of ourselves, arg->size set: how many ranges, or -1 with errno. */
struct scan_arg;
int agent_scan(struct scan_arg *arg);

/* Have the kernel reclaim 8 MiB of our cgroup. False: it has no memory.reclaim (before 5.19). */
bool agent_cgroup_reclaim(struct workload *w);

/* A number of a line of /proc/PID/stat, counted from 1. False where there is none. */
bool stat_field(const char *line, unsigned field, int64_t *value);

/* Unlocked, without waiters. */
void agent_locks_init(struct workload_private *p);

/* Have every thread run a function, and go on beside them until they are awaited. */
void agent_threads_begin(struct workload *w, void (*fn)(struct workload *w, unsigned index));
void agent_threads_await(struct workload *w);

/* A system call that is missing or forbidden altogether: forgotten before a step, which it skips.
 */
void agent_refused_forget(void);
void agent_refused_skips(struct reply *r);

/* Unmap and close what this step has mapped and opened: it cannot be done here. */
void agent_undo_step(struct workload *w);

/* A nameless file in the workload's directory, not yet counted as the case's. */
int agent_file(struct workload *w, size_t pages);

#endif
