// SPDX-License-Identifier: MIT
/* The library inside rssck-workload; the steps of cases see only <rssck/workload.h>. */
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
	void (*serve)(struct workload *w); /* the runtime's loop, for a forked child; does not
					    * return */
	unsigned request;                  /* number of requests so far */
	struct act acts[ACT_THREADS];      /* the acts of this request */
	unsigned nr_acts;
	struct reply reply;
	struct range ranges[RANGES_MAX];
	unsigned nr_ranges;
	int files[FILES_MAX];
	const char *file_call;              /* the system call that failed to make the last file */
	unsigned nr_files, nr_files_before; /* their number before this step */
	int settle_file, settle_shmem;      /* files whose pages are mapped and zapped to settle;
					     * made before the baseline */
	pid_t pid[WORKLOAD_PROCESSES];
	bool channel_closed[WORKLOAD_PROCESSES];
	char cgroup[64], home_cgroup[512]; /* the state of workload_cgroup_enter() */

	/* The threads of workload_threads(). */
	struct agent_thread threads[WORKLOAD_THREADS];
	unsigned nr_threads;
	bool keeps_threads; /* keep the threads when everything is unmapped at the end */
	void (*thread_fn)(struct workload *w, unsigned index);
	pthread_mutex_t lock;
	pthread_cond_t ordered, obeyed;
	enum thread_order order;
	unsigned order_serial;
	unsigned nr_obeyed;
	struct settle_plan plan;
};

/* The stack is grown to this size before the baseline: more than any step needs. */
enum { AGENT_STACK_BYTES = 96 << 10, AGENT_STACK_LEAST = 24 << 10 };

/*
 * Touches every page that the program itself needs, so that no later fault belongs to the program
 * itself.
 */
void agent_prefault(struct workload *w);

/* PAGEMAP_SCAN of ourselves, arg->size set: how many ranges, or -1 with errno. */
struct scan_arg;
int agent_scan(struct scan_arg *arg);

/* A numeric field of a line of /proc/PID/stat, counted from 1. False if there is none. */
bool stat_field(const char *line, unsigned field, int64_t *value);

/* Initializes the locks: unlocked, without waiters. */
void agent_locks_init(struct workload_private *p);

/*
 * agent_threads_begin() makes every thread run a function and returns;
 * agent_threads_await() waits until all are done.
 */
void agent_threads_begin(struct workload *w, void (*fn)(struct workload *w, unsigned index));
void agent_threads_await(struct workload *w);

/*
 * A system call that is missing, or that a filter forbids for any argument.
 * agent_refused_forget() is called before a step; agent_refused_skips() skips the step if it met
 * such a call.
 */
void agent_refused_forget(void);
void agent_refused_skips(struct reply *r);

/* Unmaps and closes what this step has mapped and opened, because the step cannot be done here. */
void agent_undo_step(struct workload *w);

#endif
