// SPDX-License-Identifier: MIT
/*
 * Runs an act in a thread that then ends, so that the thread's counts must survive. The thread's
 * stack is static: a stack that the library maps and keeps would change the numbers.
 */
#include "verbs.h"
#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>

enum { STACK_BYTES = 64 << 10 };

static char stack[STACK_BYTES] __attribute__((aligned(64 << 10)));

static struct {
	struct worker *k;
	const struct act *a;
	verb_fn *there; /* NULL if the thread does nothing */
} task;

static void *run(void *unused)
{
	if (task.there)
		task.there(task.k, task.a);
	return unused;
}

/* Returns the number of threads plus two (proc_task_getattr()). */
static nlink_t count_tasks(void)
{
	struct stat s;

	return stat("/proc/self/task", &s) ? 0 : s.st_nlink;
}

/*
 * pthread_join(3) may return before the kernel has removed the thread, so this waits for that, too.
 */
void act_beside(struct worker *k, const struct act *a, verb_fn *there, verb_fn *here)
{
	struct patience patience = { .seconds = 8 };
	nlink_t before = count_tasks();
	pthread_attr_t attr;
	pthread_t id;
	int error;

	task.k = k;
	task.a = a;
	task.there = there;
	pthread_attr_init(&attr);
	error = pthread_attr_setstack(&attr, stack, sizeof(stack));
	error = error ? error : pthread_create(&id, &attr, run, NULL);
	pthread_attr_destroy(&attr);
	errno = error;
	act_result(k, error ? -1 : 0);
	if (error)
		return;
	if (here)
		here(k, a);
	pthread_join(id, NULL);
	while (count_tasks() > before && workload_pause(&patience))
		;
}

void act_thread_begins(struct worker *k)
{
	touch_write(k->w, stack, sizeof(stack) / k->page);
	act_beside(k, NULL, NULL, NULL);
}

void verb_thread_write(struct worker *k, const struct act *a)
{
	act_beside(k, a, verb_write, NULL);
}
