// SPDX-License-Identifier: MIT
#include "cpus.h"
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static cpu_set_t *set_of(struct cpu_mask *m)
{
	return (cpu_set_t *)m->bits;
}

int cpus_now(struct cpu_mask *m)
{
	*m = (struct cpu_mask) { 0 };
	return sched_getaffinity(0, sizeof(m->bits), set_of(m));
}

int cpus_keep_to(const struct cpu_mask *m)
{
	return sched_setaffinity(0, sizeof(m->bits), (const cpu_set_t *)m->bits);
}

int cpus_keep_to_one(int cpu)
{
	struct cpu_mask one = { 0 };

	if (cpu < 0 || cpu >= HOST_CPUS_MAX) {
		errno = EINVAL;
		return -1;
	}
	cpus_add(&one, cpu);
	return cpus_keep_to(&one);
}

void cpus_add(struct cpu_mask *m, int cpu)
{
	if (cpu >= 0 && cpu < HOST_CPUS_MAX)
		CPU_SET_S((size_t)cpu, sizeof(m->bits), set_of(m));
}

bool cpus_hold(const struct cpu_mask *m, int cpu)
{
	return cpu >= 0 && cpu < HOST_CPUS_MAX &&
	       CPU_ISSET_S((size_t)cpu, sizeof(m->bits), (const cpu_set_t *)m->bits);
}

unsigned cpus_list(const struct cpu_mask *m, int *list)
{
	unsigned nr = 0;

	for (int cpu = 0; cpu < HOST_CPUS_MAX; cpu++)
		if (cpus_hold(m, cpu))
			list[nr++] = cpu;
	return nr;
}

unsigned cpus_count(const struct cpu_mask *m)
{
	return (unsigned)CPU_COUNT_S(sizeof(m->bits), (const cpu_set_t *)m->bits);
}

void cpus_drain_lists(void)
{
	void *page = NULL;
	int node = 0, status;

	syscall(SYS_move_pages, 0, 0UL, &page, &node, &status, 0);
}
