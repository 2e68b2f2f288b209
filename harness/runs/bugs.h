// SPDX-License-Identifier: MIT
/* Finds the recorded runs that have a real bug of history.def. */
#ifndef RSSCK_RUNS_BUGS_H
#define RSSCK_RUNS_BUGS_H

#include "kernels.h"
#include <rssck/bug.h>

enum presence { NOT_SEEN, ABSENT, PRESENT };

/* NOT_SEEN: the case that would show it did not run there, or no case shows it. */
enum presence bug_presence(const struct bug *b, const struct results *run);

/*
 * Sets have[] for the kernels that have it. Returns the number of kernels on which it
 * could be seen.
 */
size_t bug_kernels(const struct kernels *k, const struct bug *b, bool *have);

#endif
