// SPDX-License-Identifier: MIT
/*
 * Sums of the lines of other files, and sums over processes. Lines of meminfo are compared with
 * most of them.
 */
#ifndef RSSCK_MACHINE_SUMS_H
#define RSSCK_MACHINE_SUMS_H

#include "numbers.h"
#include <rssck/source.h>

/* Each function parses the text of its file, and sets or increases the rows of its sums. */
void sums_slabinfo(const char *text, int64_t page_kb, struct machine_values *v);
void sums_vmallocinfo(const char *text, int64_t page_kb, struct machine_values *v);
void sums_swaps(const char *text, struct machine_values *v);

/*
 * Parses the pages of one CPU in the kernel log, "percpu: Embedded 62 pages/cpu", and multiplies
 * them by `cpus`.
 */
void sums_percpu(const char *log, int64_t cpus, int64_t page_kb, struct machine_values *v);

/* Parses the kernel log for memory that no counter includes: records of ftrace, DMA pools. */
void sums_log_pools(const char *log, int64_t page_kb, struct machine_values *v);

/* Parses "45379 pages:180 groups: 4" of dyn_ftrace_total_info. */
void sums_ftrace(const char *text, int64_t page_kb, struct machine_values *v);

/* Parses the kB of data, "1408" or "7 (expanded: 1408)", and adds the header of each page. */
void sums_trace_buffers(const char *text, int64_t page_kb, struct machine_values *v);

/*
 * True if /proc/kallsyms shows that the block layer has a pool for integrity data, allocated at
 * boot.
 */
bool sums_has_integrity_pool(void);

/*
 * Computes the sums of kernel stacks from the number of threads; *v must have the values of
 * meminfo.
 */
void sums_stacks(int64_t threads, int64_t zombies, int64_t cpus, struct machine_values *v);

/* Reads the files of this machine, and computes all sums above. `t` is a buffer for reuse. */
void sums_read(struct text *t, int64_t page_kb, struct machine_values *v);

#endif
