// SPDX-License-Identifier: MIT
/* Finds the recorded runs that show a real bug of history.def. */
#ifndef RSSCK_RUNS_BUGS_H
#define RSSCK_RUNS_BUGS_H

#include "kernels.h"
#include <rssck/bug.h>

enum presence { NOT_SEEN, ABSENT, PRESENT };

/*
 * Returns NOT_SEEN if the case that shows the bug was not judged in this run or did not report the
 * bug's fact, or if no case shows the bug.
 */
enum presence bug_presence(const struct bug *b, const struct results *run);

/*
 * Sets have[] for the kernels that have the bug. Returns the number of kernels on which the case of
 * the bug ran.
 */
size_t bug_kernels(const struct kernels *k, const struct bug *b, bool *have);

#endif
