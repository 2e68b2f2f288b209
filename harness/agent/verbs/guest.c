// SPDX-License-Identifier: MIT
/*
 * Implements verbs that change the machine's settings and restore them. They fail outside a guest
 * of rssck vm.
 */
#include "base/guest.h"
#include "agent/agent.h"
#include "base/cpus.h"
#include "verbs.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/swap.h>
#include <unistd.h>

bool act_is_in_guest(struct worker *k)
{
	errno = EPERM;
	if (guest_is_here() && geteuid() == 0)
		return true;
	errno = EPERM;
	act_result(k, -1);
	return false;
}

/*
 * Reads all pages back from swap. swapoff() is repeated, because io_uring's deferred work
 * interrupts it like a signal.
 */
static int swap_off(const char *path)
{
	enum { TRIES = 10 };
	int result = -1;

	for (int i = 0; i < TRIES && result < 0; i++) {
		result = swapoff(path);
		if (result < 0 && errno != EINTR)
			break;
	}
	return result;
}

void verb_swapoff(struct worker *k, const struct act *a)
{
	static char text[2048];
	char *rest = text, *line;

	(void)a;
	if (!act_is_in_guest(k))
		return;
	workload_read_text("/proc/swaps", text, sizeof(text));
	strsep(&rest, "\n");
	while ((line = strsep(&rest, "\n")) && *line) {
		line[strcspn(line, " \t")] = '\0';
		act_result(k, swap_off(line));
		if (!k->outcome.error)
			act_result(k, swapon(line, 0));
	}
}

static int last_cpu(const struct worker *k)
{
	int list[HOST_CPUS_MAX];
	unsigned n = cpus_list(&k->w->private->hello.all, list);

	return n > 1 ? list[n - 1] : -1;
}

static int set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return workload_try_to_set(path, online ? "1" : "0") ? 0 : -1;
}

/*
 * Maps pages on the last CPU, unmaps them on the process's usual CPUs, and takes the last CPU
 * offline and online again. The kernel must then add that CPU's part of the counters
 * (percpu_counter_cpu_dead()).
 */
void verb_cpu(struct worker *k, const struct act *a)
{
	enum { PAGES = 20 };
	struct cpu_mask before;
	int cpu = last_cpu(k);
	char *p;

	(void)a;
	if (!act_is_in_guest(k))
		return;
	errno = ENODEV;
	act_result(k, cpu < 0 ? -1 : cpus_now(&before));
	if (k->outcome.error)
		return;
	cpus_keep_to_one(cpu);
	p = workload_try_map(PAGES * k->page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_POPULATE,
			     -1);
	cpus_keep_to(&before);
	if (p)
		munmap(p, PAGES * k->page);
	act_result(k, set_online(cpu, false));
	if (!k->outcome.error)
		act_result(k, set_online(cpu, true));
}
