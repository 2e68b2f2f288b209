// SPDX-License-Identifier: MIT
/*
 * Before the baseline, faults in the pages that the workload itself will need: those of its
 * mappings in /proc/self/maps.
 */
#include "agent.h"
#include "base/number.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { HEAP_BYTES = 64 << 10 };

/*
 * Returns by how many bytes to grow the stack: AGENT_STACK_BYTES, or half of RLIMIT_STACK if that
 * is less. A step that exceeds RLIMIT_STACK is killed by SIGSEGV, and rssck's message then names
 * the limit.
 */
static size_t stack_to_grow(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_STACK, &l) < 0 || l.rlim_cur >= 2 * AGENT_STACK_BYTES)
		return AGENT_STACK_BYTES;
	return (size_t)l.rlim_cur / 2;
}

/* Only grows the stack's mapping; touch_mapping() touches its pages. */
static __attribute__((noinline)) void grow_stack(size_t bytes)
{
	volatile char deep[bytes];

	deep[0] = 0;
	deep[bytes - 1] = deep[0];
}

static bool is_the_cases(const struct workload_private *p, uintptr_t page)
{
	for (unsigned i = 0; i < p->nr_ranges; i++)
		if (page - (uintptr_t)p->ranges[i].start < p->ranges[i].bytes)
			return true;
	return false;
}

/*
 * Unmaps the pages of the vdso and of its data. All processes share them, so a tool that runs
 * between snapshots would add a sharer and lower Pss.
 */
static void give_up(uintptr_t start, uintptr_t end)
{
	madvise((void *)start, end - start, MADV_DONTNEED);
}

/*
 * True if the page is in a guard region, which /proc/self/maps does not show. A forked process may
 * have inherited one below each thread stack of its parent (glibc 2.42, Linux 6.13).
 * MADV_POPULATE_READ came with 5.14.
 */
static bool is_guard(const struct workload *w, uintptr_t page)
{
	return w->private->keeps_threads &&
	       madvise((void *)page, w->page_size, MADV_POPULATE_READ) < 0 && errno == EFAULT;
}

static void touch_mapping(const struct workload *w, const char *line)
{
	const char *after = line, *line_end = line + strlen(line);
	uint64_t start, end;

	if (number_hex(&after, line_end, &start) != NUMBER_OK || *after++ != '-' ||
	    number_hex(&after, line_end, &end) != NUMBER_OK)
		return;

	bool readable = after[1] == 'r', writable = after[2] == 'w', private = after[4] == 'p';

	if (w->private->c->tools && (strstr(line, "[vdso]") || strstr(line, "[vvar"))) {
		give_up(start, end);
		return;
	}
	/* Pages of vvar may raise SIGBUS; clock_gettime() touches the pages in use. */
	if (!readable || strstr(line, "[vvar") || strstr(line, "[vsyscall]"))
		return;
	for (uintptr_t page = start; page < end; page += w->page_size) {
		volatile char *c = (volatile char *)page;

		if (is_the_cases(w->private, page) || is_guard(w, page))
			continue;
		if (writable && private)
			*c = *c;
		else
			(void)*c;
	}
}

void agent_prefault(struct workload *w)
{
	char *maps = workload_buffer;
	struct timespec now;
	void *heap = malloc(HEAP_BYTES);

	free(heap);
	grow_stack(stack_to_grow());
	clock_gettime(CLOCK_MONOTONIC, &now);
	clock_gettime(CLOCK_REALTIME, &now);
	workload_read_whole("/proc/self/maps", maps, WORKLOAD_BUFFER);
	for (char *line = maps; *line;) {
		char *next = strchr(line, '\n');

		if (!next)
			break;
		*next = '\0';
		touch_mapping(w, line);
		line = next + 1;
	}
	memset(maps, 0, WORKLOAD_BUFFER);
}
