// SPDX-License-Identifier: MIT
/* Clears the bits in page tables that proc_pid_clear_refs(5) lists. */
#include "agent.h"

void workload_clear_refs(struct workload *w, char what)
{
	char value[] = { what, '\0' };

	if (!workload_try_to_set("/proc/self/clear_refs", value))
		workload_skip(w, "/proc/self/clear_refs: %m");
}
