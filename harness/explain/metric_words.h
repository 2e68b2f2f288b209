// SPDX-License-Identifier: MIT
/* Words for the enums and bits of the table of metrics. */
#ifndef RSSCK_METRIC_WORDS_H
#define RSSCK_METRIC_WORDS_H

#include <rssck/column.h>
#include <rssck/metric.h>

/* Returns e.g. "a running total, cheap to read, which lags on some kernels". */
const char *kind_words(enum metric_kind kind);

/* Returns when the kernel updates numbers of this kind: "up to date whenever it is read". */
const char *kind_when(enum metric_kind kind);

/* The same for one metric, which may be an exception of its kind. */
const char *metric_kind_words(enum metric_id id);
const char *metric_when(enum metric_id id);

/* Writes "VmRSS in /proc/PID/status, in kB" into buf. */
const char *metric_place(enum metric_id id, char *buf, size_t size);

/*
 * Writes what the metric sums into buf, e.g. "anonymous, file and shmem pages that are dirty,
 * mapped once", or "" if it sums nothing.
 */
const char *metric_counts(enum metric_id id, char *buf, size_t size);

/*
 * column_numbers() writes the metrics of a column into buf: "smaps.Private_Clean +
 * smaps.Private_Dirty, all mappings added up, in kB". column_words() adds sentences that explain
 * them.
 */
const char *column_numbers(const struct column *c, char *buf, size_t size);
const char *column_words(const struct column *c, char *buf, size_t size);

extern const char unit_kb[], unit_pages[];

/* Returns e.g. "kB (1,024 bytes)", or NULL for a plain number. */
const char *metric_unit(enum metric_id id);

/* Returns e.g. "kB", or NULL for a plain number. */
const char *metric_unit_short(enum metric_id id);
const char *column_unit(const struct column *c);

#endif
