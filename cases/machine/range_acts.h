// SPDX-License-Identifier: MIT
/* Acts on a range of memory. Each returns false if it is not possible here. */
#ifndef CASES_MACHINE_RANGE_ACTS_H
#define CASES_MACHINE_RANGE_ACTS_H

#include "migrate.h"

typedef bool range_act(const struct workload *w, char *p, size_t bytes);

static inline bool range_write(const struct workload *w, char *p, size_t bytes)
{
	touch_write(w, p, bytes / w->page_size);
	return true;
}

static inline bool range_lock(const struct workload *unused, char *p, size_t bytes)
{
	(void)unused;
	return mlock(p, bytes) == 0;
}

static inline bool range_unlock(const struct workload *unused, char *p, size_t bytes)
{
	(void)unused;
	return munlock(p, bytes) == 0;
}

static inline bool range_cool(const struct workload *unused, char *p, size_t bytes)
{
	(void)unused;
	return madvise(p, bytes, MADV_COLD) == 0;
}

static inline bool range_free(const struct workload *unused, char *p, size_t bytes)
{
	(void)unused;
	return madvise(p, bytes, MADV_FREE) == 0;
}

static inline bool range_protect(const struct workload *unused, char *p, size_t bytes)
{
	(void)unused;
	return !mprotect(p, bytes, PROT_READ) && !mprotect(p, bytes, PROT_READ | PROT_WRITE);
}

/* Protecting half of a huge page splits its entry into one per page. */
static inline bool range_protect_half(const struct workload *w, char *p, size_t bytes)
{
	return range_protect(w, p, bytes / 2);
}

/* Moves the range away and back. A huge page moves as a whole, because both addresses are aligned.
 */
static inline bool range_move(const struct workload *w, char *p, size_t bytes)
{
	const int flags = MREMAP_MAYMOVE | MREMAP_FIXED;
	size_t align = w->huge_page_size ? w->huge_page_size : w->page_size;
	void *to = workload_try_aligned_map(bytes, align, -1);

	return to && mremap(p, bytes, bytes, flags, to) == to &&
	       mremap(to, bytes, bytes, flags, p) == p;
}

/* Shares the range with a child that only ends. */
static inline bool range_fork(const struct workload *unused, char *p, size_t bytes)
{
	pid_t pid = fork();

	(void)unused, (void)p, (void)bytes;
	if (!pid)
		_exit(0);
	return pid > 0 && waitpid(pid, NULL, 0) == pid;
}

static inline bool range_migrate(const struct workload *w, char *p, size_t bytes)
{
	return migrate_there_and_back(w, p, bytes / w->page_size);
}

static inline bool range_clear_soft_dirty(const struct workload *unused, char *p, size_t bytes)
{
	(void)unused, (void)p, (void)bytes;
	return workload_try_to_set("/proc/self/clear_refs", "4");
}

#endif
