// SPDX-License-Identifier: MIT
/*
 * Detects system calls that fail whatever their arguments are, because the kernel lacks them
 * (CONFIG_ADVISE_SYSCALLS=n) or a container's filter forbids them. The case is then skipped,
 * because most steps check a call's effect and not its result.
 */
#include "agent.h"
#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#undef madvise
#undef munmap
#undef munlock
#undef msync
#undef shmdt
#undef pwrite

static const char *volatile refused;
static volatile int refused_by;

static void note(const char *call, int error)
{
	refused = call;
	refused_by = error;
}

/* The kernel may refuse advice for one mapping (a sealed one), but not for an empty range. */
static bool refuses_all_advice(void)
{
	return madvise(NULL, 0, MADV_NORMAL) < 0;
}

int workload_madvise(void *start, size_t bytes, int advice)
{
	int done = madvise(start, bytes, advice), error = errno;

	/*
	 * Cases without CASE_THP run with huge pages disabled, so a failed MADV_NOHUGEPAGE is
	 * ignored.
	 */
	if (done < 0 && advice != MADV_NOHUGEPAGE && refuses_all_advice())
		note("madvise(2)", error);
	errno = error;
	return done;
}

struct rusage workload_getrusage(int who)
{
	struct rusage usage = { 0 };

	if (getrusage(who, &usage) < 0)
		note("getrusage(2)", errno);
	return usage;
}

/*
 * Notes a failed call if the same call on nothing (an empty range, no descriptor) fails with the
 * same error, ENOSYS or EPERM. A kernel that has the call does not return these errors for such
 * arguments.
 */
#define NOTE_IF_REFUSED(call, failed, of_nothing)                                            \
	do {                                                                                 \
		int error_ = errno;                                                          \
                                                                                             \
		if ((failed) && (error_ == ENOSYS || error_ == EPERM) && (of_nothing) < 0 && \
		    errno == error_)                                                         \
			note(call, error_);                                                  \
		errno = error_;                                                              \
	} while (0)

int workload_munmap(void *start, size_t bytes)
{
	int done = munmap(start, bytes);

	NOTE_IF_REFUSED("munmap(2)", done < 0, munmap(NULL, 0));
	return done;
}

int workload_munlock(const void *start, size_t bytes)
{
	int done = munlock(start, bytes);

	NOTE_IF_REFUSED("munlock(2)", done < 0, munlock(NULL, 0));
	return done;
}

int workload_msync(void *start, size_t bytes, int flags)
{
	int done = msync(start, bytes, flags);

	NOTE_IF_REFUSED("msync(2)", done < 0, msync(NULL, 0, 0));
	return done;
}

int workload_shmdt(const void *start)
{
	int done = shmdt(start);

	NOTE_IF_REFUSED("shmdt(2)", done < 0, shmdt((const void *)1));
	return done;
}

ssize_t workload_pwrite(int fd, const void *from, size_t bytes, off_t at)
{
	ssize_t done = pwrite(fd, from, bytes, at);

	NOTE_IF_REFUSED("pwrite(2)", done < 0, pwrite(-1, from, 0, 0));
	return done;
}

bool agent_may_be_filtered(int error)
{
	return error == EACCES || ((error == EPERM || error == ENOSYS) &&
				   prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER);
}

void agent_refused_forget(void)
{
	refused = NULL;
}

void agent_refused_skips(struct reply *r)
{
	if (!refused || r->kind == REPLY_SKIP || r->kind == REPLY_SKIP_STEP)
		return;
	r->kind = REPLY_SKIP;
	r->nr_postings = 0;
	snprintf(r->text, sizeof(r->text), "%s, which always fails here: %s", refused,
		 strerror(refused_by));
}
