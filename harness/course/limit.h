// SPDX-License-Identifier: MIT
/*
 * The memory charged to a cgroup with a limit, one row for each kind of memory that the workload
 * reported.
 */
#ifndef RSSCK_COURSE_LIMIT_H
#define RSSCK_COURSE_LIMIT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { LIMIT_ROWS = 8 };

/* One kind of memory, made from "tmpfs: current", "tmpfs: working set" and "tmpfs: killed". */
struct limit_row {
	char kind[32];
	int64_t current_kb, working_set_kb;
	bool killed;
};

/* Returns the number of rows of a step, or 0 if the step is not about a limit. */
size_t limit_rows(const json_t *record, const json_t *step, struct limit_row rows[LIMIT_ROWS]);

#endif
