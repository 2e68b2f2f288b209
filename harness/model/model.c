// SPDX-License-Identifier: MIT
/* Computes the bounds of counter models, and names the models. */
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

bool models_are_known(const struct models *m)
{
	static const enum metric_id *const lists[] = { modelled, modelled_apart };

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (const enum metric_id *id = lists[i]; *id != METRIC_NONE; id++)
			if (m->of[*id].kind == MODEL_UNKNOWN)
				return false;
	return true;
}

static bool is_apart(enum metric_id id)
{
	for (const enum metric_id *apart = modelled_apart; *apart != METRIC_NONE; apart++)
		if (*apart == id)
			return true;
	return false;
}

const struct counter_model *model_worse(const struct counter_model *a,
					const struct counter_model *b)
{
	if (b->kind == MODEL_ABSENT || a->kind == MODEL_UNKNOWN)
		return a;
	if (a->kind == MODEL_ABSENT)
		return b;
	return b->kind == MODEL_UNKNOWN || b->batch > a->batch ? b : a;
}

/* Returns the model that lags most. It bounds a number that has no measured model of its own. */
static const struct counter_model *worst_model(const struct models *m)
{
	static const enum metric_id *const lists[] = { modelled, modelled_apart };
	const struct counter_model *worst = &m->of[METRIC_STAT_RSS];

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (const enum metric_id *id = lists[i]; *id != METRIC_NONE; id++)
			worst = model_worse(worst, &m->of[*id]);
	return worst;
}

const struct counter_model *model_for(const struct models *m, enum metric_id id)
{
	if (!is_apart(id) || m->of[id].kind != MODEL_ABSENT)
		return &m->of[id];
	/*
	 * VmSwap has no measured model here, so it gets RssAnon's: MM_SWAPENTS is a counter of the
	 * same type as MM_ANONPAGES.
	 */
	return id == METRIC_STATUS_VMSWAP ? &m->of[METRIC_STATUS_RSSANON] : worst_model(m);
}

static int64_t worse(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? -1 : a > b ? a : b;
}

/*
 * Returns the accounts that a number sums. The peaks and oom_score sum accounts although their rows
 * in metrics.def name none.
 */
static unsigned accounts_of(enum metric_id id)
{
	if (id == METRIC_OOM_SCORE)
		return IN_RSS | ACCOUNT_BIT(ACCOUNT_SWAP);
	return is_apart(id) && !metric(id)->accounts ? IN_RSS : metric(id)->accounts;
}

static unsigned nr_classes(unsigned accounts)
{
	unsigned classes = (unsigned)__builtin_popcount(accounts &
							(IN_RSS | ACCOUNT_BIT(ACCOUNT_SWAP)));

	return classes ? classes : 1;
}

static int64_t bound_of(const struct models *m, enum metric_id id, const struct counter_model *c,
			unsigned threads)
{
	unsigned accounts = accounts_of(id);
	int64_t pages = accounts & IN_SHR && m->fault_around > 1 ? m->fault_around : 1;

	switch (c->kind) {
	case MODEL_EXACT:
		return 0;
	case MODEL_PER_THREAD:
		/*
		 * Each of a thread's faults adds to one class only, so this is already the bound
		 * for the sum of the classes.
		 */
		return (int64_t)threads * c->batch * pages;
	case MODEL_PER_CPU:
		return (int64_t)m->cpus * (c->batch - 1) * nr_classes(accounts);
	default:
		/* A number without a model, such as HugetlbPages, does not lag. */
		return c->kind == MODEL_ABSENT ? 0 : -1;
	}
}

int64_t model_bound(const struct models *m, enum metric_id id, unsigned threads)
{
	int64_t own = bound_of(m, id, model_for(m, id), threads);

	/* wait4(2) reports the larger of the stored peak and the current count. */
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
