// SPDX-License-Identifier: MIT
/* Which metrics the cases check the movement of. */
#ifndef RSSCK_COVERAGE_H
#define RSSCK_COVERAGE_H

#include "cmd/line/select.h"
#include <stdio.h>

/*
 * For each metric the cases of s that check how it moves, the first few or
 * all, and the totals. Returns EXIT_HOLDS, or EXIT_FAILS where a metric has none.
 */
int coverage_print(const struct selection *s, bool all, FILE *out);

#endif
