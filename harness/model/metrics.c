// SPDX-License-Identifier: MIT
/* Looks up rows in the table of metrics. */
#include <rssck/metric.h>
#include <string.h>

#define METRIC(id, ...) [METRIC_##id] = { __VA_ARGS__ },
static const struct metric table[METRIC_COUNT] = {
#include <rssck/metrics.def>
};
#undef METRIC

#define METRIC(id, ...)
#define METRICS_BEGIN(source)
#define METRICS_END(source) [SOURCE_##source] = { METRIC_##source##_FIRST, METRIC_##source##_LAST },
static const struct {
	enum metric_id first, last;
} rows_of[SOURCE_COUNT] = {
#include <rssck/metrics.def>
};
#undef METRIC

static const char *const source_names[SOURCE_COUNT] = {
	[SOURCE_STAT] = "/proc/PID/stat",
	[SOURCE_STATM] = "/proc/PID/statm",
	[SOURCE_STATUS] = "/proc/PID/status",
	[SOURCE_SMAPS] = "/proc/PID/smaps",
	[SOURCE_ROLLUP] = "/proc/PID/smaps_rollup",
	[SOURCE_PAGEMAP] = "/proc/PID/pagemap",
	[SOURCE_SCAN] = "PAGEMAP_SCAN on /proc/PID/pagemap",
	[SOURCE_NUMA] = "/proc/PID/numa_maps",
	[SOURCE_FRAMES] = "/proc/kpageflags and kpagecount",
	[SOURCE_OOM] = "/proc/PID/oom_score",
	[SOURCE_RUSAGE] = "wait4(2)",
};

const struct metric *metric(enum metric_id id)
{
	return &table[id];
}

enum metric_id metric_by_name(const char *name)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		if (strcmp(table[id].name, name) == 0)
			return id;
	return METRIC_NONE;
}

static bool row_has_key(const struct metric *m, const char *key, size_t len)
{
	return strlen(m->key) == len && memcmp(m->key, key, len) == 0;
}

enum metric_id metric_by_key(enum source source, const char *key, size_t len, enum metric_id hint)
{
	const unsigned first = rows_of[source].first, last = rows_of[source].last;
	unsigned id = hint >= first && hint <= last ? hint : first;

	if (len == 0)
		return METRIC_NONE;
	for (unsigned i = first; i <= last; i++) {
		if (row_has_key(&table[id], key, len))
			return id;
		id = id == last ? first : id + 1;
	}
	return METRIC_NONE;
}

enum metric_id metric_twin(enum metric_id id)
{
	static const struct {
		enum metric_id scan, pagemap;
	} scans[] = {
		{ METRIC_SCAN_PRESENT, METRIC_PAGEMAP_PRESENT },
		{ METRIC_SCAN_SWAPPED, METRIC_PAGEMAP_SWAP },
		{ METRIC_SCAN_PFNZERO, METRIC_PAGEMAP_ZERO },
	};

	for (size_t i = 0; i < sizeof(scans) / sizeof(*scans); i++)
		if (scans[i].scan == id)
			return scans[i].pagemap;
	if (table[id].source != SOURCE_ROLLUP)
		return METRIC_NONE;
	return metric_by_key(SOURCE_SMAPS, table[id].key, strlen(table[id].key), METRIC_NONE);
}

const char *metric_is_not(enum metric_id id)
{
	enum metric_id twin = metric_twin(id);

	if (table[id].is_not || twin == METRIC_NONE)
		return table[id].is_not;
	return table[twin].is_not;
}

const char *source_name(enum source source)
{
	return source_names[source];
}

const char *metric_noun(const char *what)
{
	enum metric_id id = metric_by_name(what);

	return id != METRIC_NONE && table[id].unit == UNIT_COUNT ? table[id].counts : "pages";
}
