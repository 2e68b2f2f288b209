// SPDX-License-Identifier: MIT
/*
 * Bounds and names of counter models.
 */
#include <rssck/model.h>
#include <stdio.h>

const enum metric_id modelled[] = {
	METRIC_STAT_RSS,       METRIC_STATM_RESIDENT, METRIC_STATM_SHARED,    METRIC_STATUS_VMRSS,
	METRIC_STATUS_RSSANON, METRIC_STATUS_RSSFILE, METRIC_STATUS_RSSSHMEM, METRIC_NONE,
};

const enum metric_id modelled_apart[] = {
	METRIC_STATUS_VMHWM, METRIC_RUSAGE_MAXRSS, METRIC_STATUS_VMSWAP,
	METRIC_OOM_SCORE,    METRIC_NONE,
};

static unsigned nr_classes(unsigned accounts)
{
	unsigned classes = (unsigned)__builtin_popcount(accounts & IN_RSS);

	return classes ? classes : 1;
}

static bool is_apart(enum metric_id id)
{
	for (const enum metric_id *apart = modelled_apart; *apart != METRIC_NONE; apart++)
		if (*apart == id)
			return true;
	return false;
}

const struct counter_model *model_for(const struct models *m, enum metric_id id)
{
	/* MM_SWAPENTS is one more of the counters of which task_mem() prints MM_ANONPAGES. */
	if (id == METRIC_STATUS_VMSWAP && m->of[id].kind == MODEL_ABSENT)
		id = METRIC_STATUS_RSSANON;
	return &m->of[id];
}

static int64_t worse(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? -1 : a > b ? a : b;
}

/* Of a number that was not measured: it is read from the same books as those that were. */
static int64_t worst_bound(const struct models *m, unsigned threads)
{
	int64_t worst = 0;

	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		worst = worse(worst, model_bound(m, *id, threads));
	return worst;
}

static int64_t bound_of(const struct models *m, enum metric_id id, const struct counter_model *c,
			unsigned threads)
{
	const struct metric *row = metric(id);
	/* A peak and oom_score sum the classes of RSS, though no account posts to them. */
	unsigned accounts = is_apart(id) && !row->accounts ? IN_RSS : row->accounts;
	int64_t pages = accounts & IN_SHR && m->fault_around > 1 ? m->fault_around : 1;

	switch (c->kind) {
	case MODEL_EXACT:
		return 0;
	case MODEL_PER_THREAD:
		/* A thread's faults are of one class or another, so their sum is bounded, not each.
		 */
		return (int64_t)threads * c->batch * pages;
	case MODEL_PER_CPU:
		return (int64_t)m->cpus * (c->batch - 1) * nr_classes(accounts);
	default:
		/* What has no model of its own (HugetlbPages) is not read while it lags. */
		return c->kind == MODEL_ABSENT ? 0 : -1;
	}
}

int64_t model_bound(const struct models *m, enum metric_id id, unsigned threads)
{
	const struct counter_model *c = model_for(m, id);
	bool unmeasured = is_apart(id) && c->kind == MODEL_ABSENT;
	int64_t own = unmeasured ? worst_bound(m, threads) : bound_of(m, id, c, threads);

	/* The larger of the peak that was stored and of the count now. */
	if (id == METRIC_RUSAGE_MAXRSS)
		return worse(own, model_bound(m, METRIC_STATUS_VMHWM, threads));
	return own;
}

int64_t model_bound_of(const struct models *m, enum metric_id id, const struct holders *h)
{
	const struct counter_model *c = &m->of[id];

	switch (c->kind) {
	case MODEL_EXACT:
		return 0;
	case MODEL_PER_THREAD:
		return (int64_t)h->threads * c->batch;
	case MODEL_PER_CPU:
		return (int64_t)h->cpus * (c->batch - 1) * h->classes;
	default:
		return c->kind == MODEL_ABSENT ? 0 : -1;
	}
}

const char *model_kind_name(enum model_kind kind)
{
	static const char *const names[] = {
		[MODEL_UNKNOWN] = "unknown",       [MODEL_EXACT] = "exact",
		[MODEL_PER_THREAD] = "per-thread", [MODEL_PER_CPU] = "per-cpu",
		[MODEL_ABSENT] = "absent",
	};

	return names[kind];
}

const char *model_describe(const struct models *m, enum metric_id id, char *buf, size_t size)
{
	const struct counter_model *c = &m->of[id];

	switch (c->kind) {
	case MODEL_EXACT:
		snprintf(buf, size, "exact");
		break;
	case MODEL_PER_THREAD:
		snprintf(buf, size, "per-thread, batch %u faults", c->batch);
		break;
	case MODEL_PER_CPU:
		snprintf(buf, size, "per-CPU, batch %u, %u CPU%s", c->batch, m->cpus,
			 m->cpus == 1 ? "" : "s");
		break;
	case MODEL_ABSENT:
		snprintf(buf, size, "not printed by this kernel");
		break;
	default:
		snprintf(buf, size, "unknown: steps of %u", c->batch);
	}
	return buf;
}
