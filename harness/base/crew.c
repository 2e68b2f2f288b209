// SPDX-License-Identifier: MIT
/* Several threads at the same work. */
#include "crew.h"
#include <pthread.h>
#include <sched.h>

enum { CREW_MAX = 16 };

static unsigned cpus(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return n < CREW_MAX ? (unsigned)n : CREW_MAX;
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
