// SPDX-License-Identifier: MIT
/* Settings with which the machine panics at what a case does on purpose. */
#include "agent.h"
#include <rssck/panics.h>

bool workload_oom_panics(void)
{
	return workload_number("/proc/sys/vm/panic_on_oom", NULL, 0) == 2;
}

void workload_needs_recovery(struct workload *w)
{
	if (!workload_number("/proc/sys/vm/memory_failure_recovery", NULL, 1))
		workload_skip(
			w,
			"a machine that survives a memory error: vm.memory_failure_recovery is 0");
}
