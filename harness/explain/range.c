// SPDX-License-Identifier: MIT
/*
 * How a kernel without a recorded run counts, according to the commits that changed it. Only
 * explanations use it: no verdict depends on a version.
 */
#include "explain.h"
#include "report/threads.h"
#include <stdio.h>

#define VERSION(a, b, c) ((a)*1000000u + (b)*1000u + (c))

/* Each range begins with its version and ends before the next row's. */
static const struct range ranges[] = {
	{ VERSION(0, 0, 0), RANGE_UNKNOWN, "0" },
	{ VERSION(2, 6, 34), RANGE_PER_THREAD, "2.6.34" },
	{ VERSION(6, 2, 0), RANGE_PER_CPU, "6.2" },
	{ VERSION(6, 6, 99), RANGE_SUMMED, "6.6.99" },
	{ VERSION(6, 7, 0), RANGE_PER_CPU, "6.7" },
	{ VERSION(6, 12, 39), RANGE_SUMMED, "6.12.39" },
	{ VERSION(6, 13, 0), RANGE_PER_CPU, "6.13" },
	{ VERSION(6, 15, 7), RANGE_SUMMED, "6.15.7" },
};

enum { RANGES = sizeof(ranges) / sizeof(*ranges) };

/* "6.12.43-1-amd64" gives 6012043; *last is the last version that matches: for "6.12" 6.12.999. */
static unsigned version_of(const char *release, unsigned *last)
{
	unsigned part[3] = { 0, 0, 0 };
	int nr = sscanf(release, "%u.%u.%u", &part[0], &part[1], &part[2]);

	*last = VERSION(part[0], nr < 2 ? 999 : part[1], nr < 3 ? 999 : part[2]);
	return VERSION(part[0], part[1], part[2]);
}

static const struct range *range_at(unsigned version)
{
	int i = RANGES - 1;

	while (i && ranges[i].first > version)
		i--;
	return &ranges[i];
}

const struct range *range_of(const char *release)
{
	unsigned last;

	return range_at(version_of(release, &last));
}

const struct range *range_change(const char *release)
{
	unsigned last, first = version_of(release, &last);
	const struct range *a = range_at(first);

	return a + 1 < ranges + RANGES && a[1].first <= last ? a + 1 : NULL;
}

/*
 * The commit "mm: Fix OOM killer inaccuracy on large many-core systems": in mm/oom_kill.c of 7.3.4
 * and in the image of 7.0.13, not in those of 6.12.118, 6.16.12, 6.18.15 and 6.19.14.
 */
bool range_oom_is_summed(const char *release)
{
	unsigned last;

	return version_of(release, &last) >= VERSION(7, 0, 0);
}

const char *range_words(enum range_kind kind)
{
	static const char *const words[] = {
		[RANGE_UNKNOWN] = "nothing is known of kernels before 2.6.34",
		[RANGE_PER_THREAD] =
			"commit 34e55232e59f (2.6.34) lets each thread hold faults back, "
			"until f1a7941243c1 (6.2)",
		[RANGE_PER_CPU] =
			"commit f1a7941243c1 (6.2) lets each CPU hold pages back, and all "
			"files read only the common part until 82241a83cd15 (6.16, and 6.6.99, "
			"6.12.39 and 6.15.7)",
		[RANGE_SUMMED] =
			"commit 82241a83cd15 (6.16, and 6.6.99, 6.12.39 and 6.15.7) makes statm "
			"and status add up the CPUs' parts; stat still reads only the common part",
	};

	return words[kind];
}

/* Returns the newest recorded kernel that counts in this way, or NULL. */
static const struct results *example(const struct kernels *k, enum range_kind kind)
{
	const struct results *found = NULL;

	for (size_t i = 0; i < k->nr; i++)
		if (range_of(k->of[i].kernel_release)->kind == kind)
			found = &k->of[i];
	return found;
}

bool range_models(const struct kernels *k, const char *release, struct models *m)
{
	enum range_kind kind = range_of(release)->kind;
	const struct results *r = example(k, kind);

	/* In this range all files read only the total, as field 24 of stat still does. */
	if (!r && kind == RANGE_PER_CPU)
		r = example(k, RANGE_SUMMED);
	if (!r || kind == RANGE_UNKNOWN)
		return false;
	*m = kernel_models(r);
	for (const enum metric_id *id = modelled; kind == RANGE_PER_CPU && *id != METRIC_NONE; id++)
		if (m->of[*id].kind != MODEL_ABSENT)
			m->of[*id] = m->of[METRIC_STAT_RSS];
	return true;
}

/* compute_batch_value() of lib/percpu_counter.c: max(32, CPUs x 2). */
void models_scale(struct models *m, unsigned cpus)
{
	for (size_t i = 0; i < METRIC_COUNT; i++)
		if (m->of[i].kind == MODEL_PER_CPU)
			m->of[i].batch = 2 * cpus > 32 ? 2 * cpus : 32;
	m->cpus = cpus;
}

/*
 * Records lack the number of pages that one fault maps. It is computed from two bounds of the case
 * with 100 threads: an anonymous fault maps one page, so the bound for all pages divided by the
 * bound for anonymous pages is this number.
 */
struct models kernel_models(const struct results *r)
{
	const struct discrepancy *all = threads_seen(r, metric(METRIC_STATM_RESIDENT)->name);
	const struct discrepancy *anon = threads_seen(r, metric(METRIC_STATUS_RSSANON)->name);
	struct models m = r->models;

	if (!m.fault_around && all && anon && anon->bound > 0)
		m.fault_around = (unsigned)(all->bound / anon->bound);
	return m;
}
