// SPDX-License-Identifier: MIT
/* What filled a cgroup's limit, one row for each kind of memory that the workload reported. */
#ifndef RSSCK_COURSE_LIMIT_H
#define RSSCK_COURSE_LIMIT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { LIMIT_ROWS = 8 };

/* One kind, made from "tmpfs: current", "tmpfs: working set" and "tmpfs: killed". */
struct limit_row {
	char kind[32];
	int64_t current_kb, working_set_kb;
	bool killed;
};

/* How many rows the step has; 0: it is not about a limit. */
size_t limit_rows(const json_t *record, const json_t *step, struct limit_row rows[LIMIT_ROWS]);

#endif
