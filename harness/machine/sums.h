// SPDX-License-Identifier: MIT
/* Sums of other files, and over processes, with which lines of meminfo must agree. */
#ifndef RSSCK_MACHINE_SUMS_H
#define RSSCK_MACHINE_SUMS_H

#include "numbers.h"
#include <rssck/source.h>

/* Each function parses the text of its file, and adds what it finds to the rows of its sums. */
void sums_slabinfo(const char *text, int64_t page_kb, struct machine_values *v);
void sums_vmallocinfo(const char *text, int64_t page_kb, struct machine_values *v);
void sums_swaps(const char *text, struct machine_values *v);

/* Parses "percpu: Embedded 62 pages/cpu" in the kernel log: the areas of that many CPUs. */
void sums_percpu(const char *log, int64_t cpus, int64_t page_kb, struct machine_values *v);

/* Parses the kernel log for memory that no counter includes: ftrace's records, DMA pools. */
void sums_log_pools(const char *log, int64_t page_kb, struct machine_values *v);

/* "45379 pages:180 groups: 4" of dyn_ftrace_total_info. */
void sums_ftrace(const char *text, int64_t page_kb, struct machine_values *v);

/* kB of data: "1408", or "7 (expanded: 1408)"; each page of it has a header. */
void sums_trace_buffers(const char *text, int64_t page_kb, struct machine_values *v);

/* True if /proc/kallsyms has the block layer's pool for integrity data, which is made at boot. */
bool sums_has_integrity_pool(void);

/*
 * Sums that follow from meminfo, which was read before: stacks, from the number of threads;
 * and the limit of vm.overcommit_memory=2, from its two settings.
 */
void sums_stacks(int64_t threads, int64_t zombies, int64_t cpus, struct machine_values *v);
void sums_commit_limit(int64_t ratio, int64_t kbytes, int64_t page_kb, struct machine_values *v);

/* Computes all sums but those, from the files of this machine; t is a buffer for reuse. */
void sums_read(struct text *t, int64_t page_kb, struct machine_values *v);

#endif
