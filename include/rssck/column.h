// SPDX-License-Identifier: MIT
/*
 * A column: a number about a process's memory that a program prints, and the metric that it shows.
 * For most rows of columns.def, strace(1) showed which file the program opens; the notes of the
 * others name their source. The cases in cases/tools/ check the columns of most tools.
 */
#ifndef RSSCK_COLUMN_H
#define RSSCK_COLUMN_H

#include <rssck/metric.h>

/* How the tool converts the metric before it prints it. */
enum column_shape {
	COLUMN_KB,       /* in units of 1024 bytes, rounded as the metric is */
	COLUMN_KB_GATE,  /* in kB, plus the gate page [vsyscall], which no metric includes */
	COLUMN_PAGES,    /* in pages */
	COLUMN_BYTES,    /* in bytes */
	COLUMN_COUNT,    /* a plain number: faults, points */
	COLUMN_PERCENT,  /* percent of MemTotal, to the nearest tenth */
	COLUMN_PERCENT2, /* percent of MemTotal, to the nearest hundredth */
	COLUMN_PERMILLE, /* tenths of a percent of MemTotal, rounded down */
	COLUMN_TEXT,     /* kB of stat's end_code - start_code, which VmExe rounds to pages */
	COLUMN_NO_TEXT,  /* kB of the metric minus COLUMN_TEXT, rounded down at the end */
	COLUMN_NOTHING,  /* always 0; the number was removed, its name was not */
	COLUMN_GROWTH,   /* what it changed by over an interval, so two readings differ */
	COLUMN_RATE,     /* the same, divided by the seconds of the interval */
};

struct column {
	const char *tool; /* the command: "top", "pmap -x" */
	const char *name; /* the name to request, or the heading that is printed */
	enum metric_id metric;
	enum metric_id plus; /* a second metric that the tool adds, or METRIC_NONE */
	enum metric_id
		also; /* a third one, which tools with an equal name leave out; or METRIC_NONE */
	enum column_shape shape;
	const char *note; /* the option that shows it, its name in the manual page, or NULL */
};

/* Returns all rows, those of one tool next to each other; sets *nr to their number. */
const struct column *columns_all(size_t *nr);

/* Returns the row of a tool's column, or NULL. */
const struct column *column_by_name(const char *tool, const char *name);

/*
 * Writes the columns that show a metric, alone or in a sum, into buf: "top RES, htop RES"; "" if
 * none does. Returns buf.
 */
const char *columns_of_metric(enum metric_id id, char *buf, size_t size);

#endif
