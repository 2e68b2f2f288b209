// SPDX-License-Identifier: MIT
/* Shared by the files of compare. */
#ifndef RSSCK_COMPARE_PRIVATE_H
#define RSSCK_COMPARE_PRIVATE_H

#include "compare.h"

/* Adds a change, to be filled in; NULL if there is no memory, which the comparison remembers. */
struct change *change_add(struct comparison *c, enum change_kind kind, enum change_cause cause,
			  const char *id, const char *name);

/* The cause of a change: the number of CPUs explains it, or it may be the machine's. */
enum change_cause cause_of(const struct comparison *c, bool by_cpus, bool may_be_machine);

/* How far the counters were off in one case, on both sides. */
void compare_discrepancies(struct comparison *c, const struct result *a, const struct result *b);

#endif
