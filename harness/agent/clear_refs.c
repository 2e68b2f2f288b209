// SPDX-License-Identifier: MIT
/* Clears page table bits by /proc/PID/clear_refs (see proc_pid_clear_refs(5)). */
#include "agent.h"

void workload_clear_refs(struct workload *w, char what)
{
	char value[] = { what, '\0' };

	if (!workload_try_to_set("/proc/self/clear_refs", value))
		workload_skip(w, "/proc/self/clear_refs: %m");
}
