// SPDX-License-Identifier: MIT
/* Which recorded runs have met a real bug of history.def. */
#ifndef RSSCK_RUNS_BUGS_H
#define RSSCK_RUNS_BUGS_H

#include "kernels.h"
#include <rssck/bug.h>

enum presence { NOT_SEEN, ABSENT, PRESENT };

/* NOT_SEEN: the case that would show it did not run there, or no case shows it. */
enum presence bug_presence(const struct bug *b, const struct results *run);

/* Which kernels have it, into have[]. Returns on how many it was looked for. */
size_t bug_kernels(const struct kernels *k, const struct bug *b, bool *have);

#endif
