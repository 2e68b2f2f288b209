// SPDX-License-Identifier: MIT
/* Finds kernel threads by their names. */
#ifndef CASES_MACHINE_KERNEL_THREAD_H
#define CASES_MACHINE_KERNEL_THREAD_H

#include <dirent.h>
#include <rssck/case.h>

/* Returns whether there is a kernel thread whose name begins so, such as "rcuo". */
static inline bool has_kernel_thread(const char *name)
{
	DIR *processes = opendir("/proc");
	struct dirent *one;
	char path[300], comm[32];
	bool found = false;

	while (processes && !found && (one = readdir(processes))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", one->d_name);
		found = workload_read_text(path, comm, sizeof(comm)) > 0 &&
			!strncmp(comm, name, strlen(name));
	}
	if (processes)
		closedir(processes);
	return found;
}

#endif
