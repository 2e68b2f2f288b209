// SPDX-License-Identifier: MIT
/* Several threads at the same work. */
#include "crew.h"
#include "cpus.h"
#include <pthread.h>

enum { CREW_MAX = 16 };

static unsigned cpus(void)
{
	struct cpu_mask ours;
	unsigned n = cpus_now(&ours) ? 1 : cpus_count(&ours);

	return n < CREW_MAX ? n : CREW_MAX;
}

void crew_run(void *(*work)(void *arg), void *arg, unsigned long most)
{
	pthread_t others[CREW_MAX];
	unsigned wanted = cpus() - 1, nr = 0;

	while (nr < wanted && nr + 1 < most && pthread_create(&others[nr], NULL, work, arg) == 0)
		nr++;
	work(arg);
	while (nr > 0)
		pthread_join(others[--nr], NULL);
}
