// SPDX-License-Identifier: MIT
/*
 * The tool column: one number that a program prints about a process's memory,
 * and which metric it is. One table of all of them, columns.def; each row was
 * verified by watching which file the program opens, and the cases of
 * cases/tools/ hold the program to it.
 */
#ifndef RSSCK_COLUMN_H
#define RSSCK_COLUMN_H

#include <rssck/metric.h>

/* What the tool makes of the metric before it prints it. */
enum column_shape {
	COLUMN_KB,       /* 1024 bytes, as rounded as the metric */
	COLUMN_KB_GATE,  /* and the gate page [vsyscall], which no account of the kernel's has */
	COLUMN_PAGES,    /* of the page size */
	COLUMN_BYTES,    /* whole */
	COLUMN_COUNT,    /* a plain number: faults, points */
	COLUMN_PERCENT,  /* of MemTotal, to the nearest tenth of a percent */
	COLUMN_PERCENT2, /* of MemTotal, to the nearest hundredth */
	COLUMN_PERMILLE, /* of MemTotal, in tenths of a percent, rounded down */
	COLUMN_TEXT,     /* kB of stat's end_code - start_code, which VmExe rounds to pages */
	COLUMN_NO_TEXT,  /* kB of the metric less that, rounded down once */
	COLUMN_NOTHING,  /* always 0: the name is kept, the number is gone */
	COLUMN_RATE,     /* counted over an interval, so that no two reads agree */
};

struct column {
	const char *tool; /* "top", "pmap -x": how it is called */
	const char *name; /* what to ask for, or what the tool writes above the column */
	enum metric_id metric;
	enum metric_id plus; /* a second metric that the tool adds, or METRIC_NONE */
	enum column_shape shape;
	const char *note; /* the option that shows it, its name in the tool's page, or NULL */
};

/* Every row: [0, *nr), those of one tool together. */
const struct column *columns_all(size_t *nr);

/* The row of a tool's column, or NULL. */
const struct column *column_by_name(const char *tool, const char *name);

/* "top RES, htop RES": the columns that show a metric, alone or in a sum, into buf; "" for none. */
const char *columns_of_metric(enum metric_id id, char *buf, size_t size);

#endif
