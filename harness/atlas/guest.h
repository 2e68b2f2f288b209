// SPDX-License-Identifier: MIT
/*
 * In a guest of rssck vm no other program uses memory. So machine-wide numbers are checked there,
 * too, and the processes' KSM numbers are compared with the machine's.
 */
#ifndef RSSCK_ATLAS_GUEST_H
#define RSSCK_ATLAS_GUEST_H

#include "fuzz/alone.h"
#include "fuzz/ksm.h"
#include "look.h"

/* Machine-wide numbers in addition to those of alone.h. */
enum guest_number { GUEST_PINNED, GUEST_HUGETLB, GUEST_NUMBERS };

enum { GUEST_PATH = 256 };

struct guest {
	bool only;           /* no other job changes the machine-wide numbers */
	struct alone before; /* the machine-wide numbers when the worker started */
	int64_t numbers[GUEST_NUMBERS];
	struct ksm ksm;
};

/*
 * Reads the numbers from the files below `root`, which is "" for this machine. A number that the
 * kernel does not print is -1.
 */
void guest_read(const char *root, int64_t of[GUEST_NUMBERS]);

/*
 * True if a number of the hugetlb pool equals its sum over the NUMA nodes, or if one of the two is
 * unknown.
 */
bool guest_nodes_agree(const char *root, uint64_t kb, const char *file, struct discrepancy *d);

/*
 * Call this when a worker has started. Outside a guest nothing is read, and all comparisons
 * succeed. The machine-wide numbers are read only if g->only is set.
 */
void guest_begin(struct guest *g, pid_t workload);

/*
 * True if KSM's numbers agree. Call it while all processes are stopped. Adds the number of
 * comparisons to *nr. If a child has inherited its parent's numbers (a known bug), d->process is 1.
 */
bool guest_ksm_agrees(struct guest *g, const struct look *l, uint64_t *nr, struct discrepancy *d);

/*
 * True if the machine-wide numbers are the same as when the worker started. Call it after
 * everything is unmapped.
 */
bool guest_is_as_before(const struct guest *g, pid_t workload, uint64_t huge_page_size,
			uint64_t *nr, struct discrepancy *d);

#endif
