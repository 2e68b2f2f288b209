// SPDX-License-Identifier: MIT
/* The stacks of all threads except the first are counted in DATA, not in VmStk. */
#include <pthread.h>
#include <rssck/case.h>

enum { PAGES = 256, DEEP = 128, STACK = 0 };
STEP_SYMBOLS(A_THREAD_RUNS_ON_IT, TWO_THREADS_OF_THE_LIBRARY_S);

static void map_stack(struct workload *w)
{
	w->slot[STACK] = workload_map_pages(w, PAGES, PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1);
	touch_write(w, (char *)w->slot[STACK] + (PAGES - DEEP) * w->page_size, DEEP);
}

/* Uses less stack than is resident already, so it adds no page. */
static void *use_stack(void *arg)
{
	char frame[16 << 10];

	explicit_bzero(frame, sizeof(frame));
	*(uintptr_t *)arg = (uintptr_t)frame;
	return NULL;
}

static void run_thread(struct workload *w)
{
	pthread_attr_t attr;
	pthread_t thread;
	uintptr_t seen = 0;
	int error;

	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, w->slot[STACK], PAGES * w->page_size);
	error = pthread_create(&thread, &attr, use_stack, &seen);
	if (error)
		workload_die(w, "pthread_create: %s", strerror(error));
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	if (seen - (uintptr_t)w->slot[STACK] < PAGES * w->page_size)
		workload_checked(w);
}

static void stand(struct workload *w, unsigned index)
{
	(void)w;
	(void)index;
}

static void more_threads(struct workload *w)
{
	workload_threads(w, 2, stand);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t stack = WORKLOAD_THREAD_STACK / t->host->page_size;
	int64_t grown = trial_moved(t, A_THREAD_RUNS_ON_IT, TWO_THREADS_OF_THE_LIBRARY_S, 0,
				    METRIC_STATUS_VMDATA);

	judge_equal_in(j, "kB", TWO_THREADS_OF_THE_LIBRARY_S, "status.VmStk",
		       trial_value(t, TWO_THREADS_OF_THE_LIBRARY_S, 0, METRIC_STATUS_VMSTK),
		       trial_value(t, A_THREAD_RUNS_ON_IT, 0, METRIC_STATUS_VMSTK),
		       "VmStk does not count the stacks of threads");
	/* Each stack may include a guard page, which VmData does not count. */
	judge_true(j, TWO_THREADS_OF_THE_LIBRARY_S, grown >= 2 * (stack - 1),
		   "VmData grows by at least the size of both thread stacks");
}

CASE(anonymous_thread_stack) {
	.claim =
		"DATA counts a new thread's whole stack, except perhaps its guard page; RES counts its written pages, and VmStk none of it",
	.because = "The C library allocates thread stacks with mmap(2), so the kernel sees "
		   "private memory. VmStk counts mappings that grow down (VM_STACK).",
	.said_by = SAID_BY("proc_pid_status(5), VmStk", "pthread_attr_setstacksize(3)"),
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP("a stack, half written", map_stack,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(DEEP))),
		       STEP_AS(A_THREAD_RUNS_ON_IT, "a thread runs on it", run_thread, .checks = 1),
		       STEP_AS(TWO_THREADS_OF_THE_LIBRARY_S, "two library threads", more_threads,
			       .flags = STEP_ANY_PAGES)),
	.judge = judge,
};
