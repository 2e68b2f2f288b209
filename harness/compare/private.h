// SPDX-License-Identifier: MIT
/* Between the parts of a comparison. */
#ifndef RSSCK_COMPARE_PRIVATE_H
#define RSSCK_COMPARE_PRIVATE_H

#include "compare.h"

/* A change more, to be filled in; NULL where there is no memory, which the comparison remembers. */
struct change *change_add(struct comparison *c, enum change_kind kind, bool by_cpus, const char *id,
			  const char *name);

/* How far the counters were off in one case, on both sides. */
void compare_discrepancies(struct comparison *c, const struct result *a, const struct result *b);

#endif
