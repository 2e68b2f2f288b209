// SPDX-License-Identifier: MIT
/* Declarations shared by the files of compare/. */
#ifndef RSSCK_COMPARE_PRIVATE_H
#define RSSCK_COMPARE_PRIVATE_H

#include "compare.h"

/* Adds a change without its values to the list. */
struct change *change_add(struct comparison *c, enum change_kind kind, enum change_cause cause,
			  const char *id, const char *name);

/*
 * The cause of a change: the CPUs if `by_cpus`, the machine if `may_be_machine` and the machines
 * differ, else the kernel.
 */
enum change_cause cause_of(const struct comparison *c, bool by_cpus, bool may_be_machine);

/* Compares the differences of all counters in one case. */
void compare_discrepancies(struct comparison *c, const struct result *a, const struct result *b);

#endif
