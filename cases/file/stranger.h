// SPDX-License-Identifier: MIT
/* Acts as another user, who owns no file of the workload. */
#ifndef CASES_FILE_STRANGER_H
#define CASES_FILE_STRANGER_H

#include <rssck/case.h>

enum { NOBODY = 65534 };

/*
 * Makes the workload's file accesses those of user NOBODY until stranger_end(). setfsuid(2) also
 * drops CAP_FOWNER, CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH. It returns the previous user even on
 * failure; calling it with -1, which is not a valid user, reads the current one.
 */
static inline void stranger_begin(struct workload *w)
{
	syscall(SYS_setfsuid, NOBODY);
	if (syscall(SYS_setfsuid, -1) != NOBODY)
		workload_skip_step(w, "CAP_SETUID, and a user %d (setfsuid(2) failed)", NOBODY);
}

static inline void stranger_end(void)
{
	syscall(SYS_setfsuid, 0);
	prctl(PR_SET_DUMPABLE, 1);
}

/* Call it between the two. Some file systems (FUSE) do not check the file's mode. */
static inline bool stranger_may_write(int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

#endif
