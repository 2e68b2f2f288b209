// SPDX-License-Identifier: MIT
/*
 * Reads and compares machine-wide numbers (meminfo, vmstat) of a guest of rssck vm, in which only
 * the workload runs.
 */
#ifndef RSSCK_FUZZ_ALONE_H
#define RSSCK_FUZZ_ALONE_H

#include "ledger.h"
#include <sys/types.h>

enum { ALONE_LINES = 11, ALONE_COUNTS = 9 };

struct alone {
	bool known;              /* false: not in a guest, or vm.stat_refresh cannot be written */
	int64_t of[ALONE_LINES]; /* meminfo lines, in kB or huge pages; -1: the line is missing;
				  * Committed_AS without VmData and VmStk of rssck and of the
				  * workload, and without rssck's memfds */
	int64_t below[ALONE_COUNTS]; /* negative counts of vmstat; 0 for the others */
};

/*
 * In a guest of rssck vm, allows some hugetlb pages and large shmem pages, which a guest does not
 * have by default. Keeps settings that were changed before. Does nothing outside a guest.
 */
void alone_prepare(void);

/* `workload` is the process that stays while everything is unmapped. */
void alone_read(struct alone *m, pid_t workload);

/* Parses a record of the kernel log: "4,1234,5678,-;vmstat_refresh: nr_shmem_hugepages -512". */
void alone_read_record(struct alone *m, const char *record);

/*
 * Compares two readings, both taken while the workload has nothing mapped. Returns false and sets
 * *d if a line of meminfo differs or a count of vmstat is further below 0. Returns true if either
 * reading is not known.
 */
bool alone_is_as_before(const struct alone *before, const struct alone *now, struct discrepancy *d);

#endif
