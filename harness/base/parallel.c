// SPDX-License-Identifier: MIT
/* Runs threads that each take the next item until no item is left. */
#include "parallel.h"
#include "cpus.h"
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS_MAX = 16 };

struct state {
	const struct parallel *p;
	atomic_size_t next;
	atomic_int error;
	pthread_mutex_t lock; /* protects end() */
};

static unsigned cpus(void)
{
	struct cpu_mask ours;
	unsigned n = cpus_now(&ours) ? 1 : cpus_count(&ours);

	return n < THREADS_MAX ? n : THREADS_MAX;
}

static void *take_items(void *arg)
{
	struct state *s = arg;
	const struct parallel *p = s->p;
	void *own = calloc(1, p->own + 1);
	int error = own ? 0 : -ENOMEM, none = 0;
	size_t i;

	while (!error && !s->error && (i = atomic_fetch_add(&s->next, 1)) < p->nr)
		error = p->item(i, own, p->arg);
	if (error)
		atomic_compare_exchange_strong(&s->error, &none, error);
	pthread_mutex_lock(&s->lock);
	if (own && p->end)
		p->end(own, p->arg);
	pthread_mutex_unlock(&s->lock);
	free(own);
	return NULL;
}

int parallel_run(const struct parallel *p)
{
	struct state s = { .p = p, .lock = PTHREAD_MUTEX_INITIALIZER };
	pthread_t others[THREADS_MAX];
	size_t most = p->nr / p->per_thread, wanted = cpus() - 1, nr = 0;

	while (nr < wanted && nr + 1 < most &&
	       pthread_create(&others[nr], NULL, take_items, &s) == 0)
		nr++;
	take_items(&s);
	while (nr > 0)
		pthread_join(others[--nr], NULL);
	return s.error;
}
