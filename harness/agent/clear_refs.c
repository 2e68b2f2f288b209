// SPDX-License-Identifier: MIT
/*
 * Clearing what page tables remember, as proc_pid_clear_refs(5) has it.
 */
#include "agent.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void workload_clear_refs(struct workload *w, char what)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, &what, 1) == 1;
	int error = errno;

	if (fd >= 0)
		close(fd);
	if (!done)
		workload_skip(w, "clear_refs %c: %s", what, strerror(error));
}
