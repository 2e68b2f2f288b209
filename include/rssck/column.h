// SPDX-License-Identifier: MIT
/*
 * The tool column: one number that a program prints about a process's memory, and the metric that
 * it is. columns.def is the one table of them; each row was verified by observing which file the
 * program opens, and the cases of cases/tools/ check it.
 */
#ifndef RSSCK_COLUMN_H
#define RSSCK_COLUMN_H

#include <rssck/metric.h>

/* How the tool converts the metric before it prints it. */
enum column_shape {
	COLUMN_KB,      /* 1024 bytes, rounded as the metric is */
	COLUMN_KB_GATE, /* plus the gate page [vsyscall], which no counter of the kernel includes */
	COLUMN_PAGES,   /* the number is in pages */
	COLUMN_BYTES,   /* whole */
	COLUMN_COUNT,   /* a plain number: faults, points */
	COLUMN_PERCENT, /* percent of MemTotal, to the nearest tenth */
	COLUMN_PERCENT2, /* percent of MemTotal, to the nearest hundredth */
	COLUMN_PERMILLE, /* tenths of a percent of MemTotal, rounded down */
	COLUMN_TEXT,     /* kB of stat's end_code - start_code, which VmExe rounds to pages */
	COLUMN_NO_TEXT,  /* kB of the metric less COLUMN_TEXT, rounded down at the end */
	COLUMN_NOTHING,  /* always 0: the name remains, the number was removed */
	COLUMN_RATE,     /* a rate over an interval, so that no two reads agree */
};

struct column {
	const char *tool; /* the command: "top", "pmap -x" */
	const char *name; /* the name to request, or the heading that the tool prints */
	enum metric_id metric;
	enum metric_id plus; /* a second metric that the tool adds, or METRIC_NONE */
	enum column_shape shape;
	const char *note; /* the option that shows it, its name in the manual page, or NULL */
};

/* All rows: [0, *nr), those of one tool in sequence. */
const struct column *columns_all(size_t *nr);

/* The row of a tool's column, or NULL. */
const struct column *column_by_name(const char *tool, const char *name);

/*
 * "top RES, htop RES": the columns that show a metric, alone or in a sum, into buf; "" if none
 * does.
 */
const char *columns_of_metric(enum metric_id id, char *buf, size_t size);

#endif
