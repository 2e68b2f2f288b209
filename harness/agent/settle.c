// SPDX-License-Identifier: MIT
/*
 * Settling: force counters that lag to be exact.
 *
 * Per-thread counters (SPLIT_RSS_COUNTING, mm/memory.c check_sync_rss_stat())
 * are flushed after 64 faults of the thread; a read fault on the zero page is
 * a fault and moves no counter.
 *
 * Per-CPU counters (lib/percpu_counter.c percpu_counter_add_batch()) are
 * flushed by any change of at least a batch. Zap adds up a page table's pages
 * and subtracts them at once (mm/memory.c zap_pte_range()), so the pages must
 * lie below one PMD, or a tail of them would be left behind as a new residue.
 * Two batches are enough: less than one is held back when zap begins, so
 * taking two away leaves at least one, and that is flushed.
 */
#include "agent.h"
#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void agent_settle_thread(const struct workload *w, const struct settle_plan *plan)
{
	size_t bytes = plan->faults * w->page_size;
	void *p;

	if (!bytes)
		return;
	p = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return;
	touch_read(w, p, plan->faults);
	munmap(p, bytes);
}

/*
 * A class of memory: anonymous, or the pages of a file, which stay in its
 * cache, so that mapping them again is a fault for many.
 * MAP_POPULATE: faults without the way through user space, which costs most.
 */
static void map_and_zap(struct workload *w, size_t pages, int prot, int flags, int fd)
{
	size_t pmd = w->page_size * (w->page_size / sizeof(uint64_t));
	char *reserved = mmap(NULL, 2 * pmd, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			      -1, 0);
	char *aligned;

	if (reserved == MAP_FAILED)
		return;
	flags |= MAP_PRIVATE | MAP_FIXED | MAP_POPULATE;
	aligned = (char *)(((uintptr_t)reserved + pmd - 1) / pmd * pmd);
	mmap(aligned, pages * w->page_size, prot, flags, fd, 0);
	munmap(reserved, 2 * pmd);
}

static void settle_cpus(struct workload *w, const struct settle_plan *plan)
{
	size_t pages = 2 * plan->batch;
	cpu_set_t before;

	if (!pages || sched_getaffinity(0, sizeof(before), &before) < 0)
		return;
	for (unsigned i = 0; i < w->nr_cpus; i++) {
		if (!plan->everywhere && !CPU_ISSET(w->cpus[i], &before))
			continue;
		workload_pin(w, w->cpus[i]);
		map_and_zap(w, pages, PROT_READ | PROT_WRITE, MAP_ANONYMOUS, -1);
		map_and_zap(w, pages, PROT_READ, 0, w->private->settle_shmem);
		map_and_zap(w, pages, PROT_READ, 0, w->private->settle_file);
	}
	sched_setaffinity(0, sizeof(before), &before);
}

void agent_settle(struct workload *w, const struct settle_plan *plan)
{
	settle_cpus(w, plan);
	agent_threads_settle(w, plan);
	agent_settle_thread(w, plan);
}
