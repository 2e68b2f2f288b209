// SPDX-License-Identifier: MIT
/*
 * System calls that are missing (CONFIG_ADVISE_SYSCALLS=n) or forbidden (a container's filter)
 * whatever they are asked for. Most steps look at what a call did and not at what it returned, so
 * the step is skipped.
 */
#include "agent.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#undef madvise

static const char *volatile refused;
static volatile int refused_by;

static void note(const char *call, int error)
{
	refused = call;
	refused_by = error;
}

/* The kernel refuses some advice, about a sealed mapping for one; never advice about nothing. */
static bool refuses_all_advice(void)
{
	return madvise(NULL, 0, MADV_NORMAL) < 0;
}

int workload_madvise(void *start, size_t bytes, int advice)
{
	int done = madvise(start, bytes, advice), error = errno;

	/* Huge pages are off in most cases anyway. */
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
	snprintf(r->text, sizeof(r->text), "%s: %s, for any argument", refused,
		 strerror(refused_by));
}
