// SPDX-License-Identifier: MIT
/*
 * Checks the identities that hold in every snapshot of a process that does not run, whatever it did
 * before.
 */
#include "private.h"
#include <errno.h>
#include <stdio.h>

/* stat.vsize is in bytes, and a whole number of pages. */
static int64_t in_kb(const struct snapshot *s, enum metric_id id, long page_size)
{
	int64_t v = s->values.of[id];

	switch (metric(id)->unit) {
	case UNIT_PAGES:
		return v * (page_size / 1024);
	case UNIT_BYTES:
		return v / 1024;
	default:
		return v;
	}
}

static bool sum(const struct snapshot *s, const enum metric_id *terms, int n, long page_size,
		int64_t *kb)
{
	*kb = 0;
	for (int i = 0; i < n; i++) {
		if (!s->values.have[terms[i]])
			return false;
		*kb += in_kb(s, terms[i], page_size);
	}
	return true;
}

static void compare_kb(struct judgement *j, const struct where *w, enum rule_id rule,
		       enum metric_id id, int64_t seen, int64_t expected, int64_t bound,
		       long page_size)
{
	const char *what = metric(id)->name;
	int64_t unit = page_size / 1024;
	bool whole = seen % unit == 0 && expected % unit == 0;

	if (whole)
		judge_compare(j, w, rule, what, seen / unit, expected / unit, bound, "pages");
	else
		judge_compare(j, w, rule, what, seen, expected, bound * unit, "kB");
}

/*
 * Returns how far the two sides of an identity may differ, in pages: 0 if a term is not a counter,
 * or if all terms have the same model and so lag alike; otherwise the sum of the lags. Returns -1
 * if a lag is unknown.
 */
static int64_t identity_lag(const struct trial *t, const struct moment *m, const struct rule *x)
{
	const struct counter_model *first = NULL;
	bool mixed = false, unknown = false;
	int64_t lag = 0;

	for (int i = 0; i < x->nr_left + x->nr_right; i++) {
		enum metric_id id = i < x->nr_left ? x->left[i] : x->right[i - x->nr_left];
		const struct counter_model *c = &t->models->of[id];
		int64_t own = counter_lag(t, m, id);

		if (metric(id)->kind != KIND_COUNTER)
			return 0;
		unknown |= own < 0;
		mixed |= first && (first->kind != c->kind || first->batch != c->batch);
		first = c;
		lag += own;
	}
	return unknown ? -1 : mixed ? lag : 0;
}

static void judge_identities(const struct trial *t, const struct moment *m,
			     const struct snapshot *s, const struct where *w, struct judgement *j)
{
	long page_size = t->host->page_size;

	for (enum rule_id id = RULE_NONE; id < RULE_COUNT; id++) {
		const struct rule *x = rule(id);
		int64_t left, right;

		if (x->relation == RELATION_NONE ||
		    !sum(s, x->left, x->nr_left, page_size, &left) ||
		    !sum(s, x->right, x->nr_right, page_size, &right))
			continue;
		if (x->relation == RELATION_AT_MOST && left <= right)
			left = right;
		compare_kb(j, w, id, x->left[0], left, right, identity_lag(t, m, x), page_size);
	}
}

/*
 * Compares proportional sums. smaps rounds down for each mapping, smaps_rollup only once. So
 * smaps_rollup may be larger, by less than 1 kB for each mapping.
 */
static void judge_rounded(const struct snapshot *s, const struct where *w, struct judgement *j)
{
	static const enum metric_id pairs[][2] = {
		{ METRIC_ROLLUP_PSS, METRIC_SMAPS_PSS },
		{ METRIC_ROLLUP_PSS_DIRTY, METRIC_SMAPS_PSS_DIRTY },
		{ METRIC_ROLLUP_SWAPPSS, METRIC_SMAPS_SWAPPSS },
		{ METRIC_ROLLUP_LOCKED, METRIC_SMAPS_LOCKED },
	};

	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		int64_t rollup = s->values.of[pairs[i][0]], smaps = s->values.of[pairs[i][1]];
		int64_t rounded = 0;

		if (!s->values.have[pairs[i][0]] || !s->values.have[pairs[i][1]])
			continue;
		/* Only a mapping whose Rss or Swap is not 0 can have lost a fraction. */
		for (size_t k = 0; k < s->nr_maps; k++)
			rounded += mapping_smaps(&s->maps[k], METRIC_SMAPS_RSS) ||
				   mapping_smaps(&s->maps[k], METRIC_SMAPS_SWAP);
		if (rollup < smaps)
			rounded = 0;
		judge_compare(j, w, RULE_ROUNDED, metric(pairs[i][0])->name, rollup, smaps, rounded,
			      "kB");
	}
}

static void judge_private_share(const struct trial *t, const struct snapshot *s,
				const struct where *w, struct judgement *j)
{
	const struct values *v = &s->values;
	int64_t private = v->of[METRIC_ROLLUP_PRIVATE_CLEAN] + v->of[METRIC_ROLLUP_PRIVATE_DIRTY];
	int64_t most = v->of[METRIC_ROLLUP_PSS] + pss_lacks(t, v->of[METRIC_ROLLUP_ANONHUGEPAGES]);

	if (!v->have[METRIC_ROLLUP_PRIVATE_CLEAN] || !v->have[METRIC_ROLLUP_PRIVATE_DIRTY] ||
	    !v->have[METRIC_ROLLUP_PSS])
		return;
	compare_kb(j, w, RULE_PRIVATE_PSS, METRIC_ROLLUP_PRIVATE_CLEAN, private,
		   private < most ? private : most, 0, t->host->page_size);
}

/* Checks that Pss is the sum of its three classes, each of which is rounded down once. */
static void judge_pss_classes(const struct snapshot *s, const struct where *w, struct judgement *j)
{
	const struct values *v = &s->values;
	int64_t classes = v->of[METRIC_ROLLUP_PSS_ANON] + v->of[METRIC_ROLLUP_PSS_FILE] +
			  v->of[METRIC_ROLLUP_PSS_SHMEM];

	if (!v->have[METRIC_ROLLUP_PSS] || !v->have[METRIC_ROLLUP_PSS_ANON] ||
	    !v->have[METRIC_ROLLUP_PSS_FILE] || !v->have[METRIC_ROLLUP_PSS_SHMEM])
		return;
	judge_compare(j, w, RULE_PSS_CLASSES, metric(METRIC_ROLLUP_PSS)->name,
		      v->of[METRIC_ROLLUP_PSS], classes,
		      v->of[METRIC_ROLLUP_PSS] >= classes ? 2 : 0, "kB");
}

int64_t precise_of_counter(const struct snapshot *s, enum metric_id id, long page_size)
{
	const struct metric *m = metric(id);
	const struct walked *w = m->kind == KIND_COUNTER ? walked_by(m->accounts, false) : NULL;
	int64_t pages;

	if (!w || !s->values.have[w->first] ||
	    (w->second != METRIC_NONE && !s->values.have[w->second]))
		return -1;
	pages = snapshot_pages(s, w->first, page_size);
	return w->second == METRIC_NONE ? pages : pages + snapshot_pages(s, w->second, page_size);
}

bool snapshot_is_settled(const struct snapshot *s, const struct models *m, long page_size)
{
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++) {
		int64_t precise = precise_of_counter(s, *id, page_size);

		if (m->of[*id].kind == MODEL_EXACT || precise < 0 || !s->values.have[*id])
			continue;
		if (snapshot_pages(s, *id, page_size) != precise)
			return false;
	}
	return true;
}

int64_t counter_lag(const struct trial *t, const struct moment *m, enum metric_id id)
{
	enum model_kind kind = model_for(t->models, id)->kind;
	/* Settling does not flush the swap counter's per-CPU parts. */
	bool kept = id == METRIC_STATUS_VMSWAP && kind == MODEL_PER_CPU;

	/* A counter with an unknown model cannot be settled. */
	kept |= kind == MODEL_UNKNOWN;

	return m->settled && !kept ? 0 : model_bound(t->models, id, m->threads);
}

static void judge_counter(const struct trial *t, const struct moment *m, const struct snapshot *s,
			  const struct where *w, enum metric_id id, struct judgement *j)
{
	int64_t precise = precise_of_counter(s, id, t->host->page_size);

	if (precise >= 0 && s->values.have[id])
		judge_lag(j, w, RULE_COUNTER, metric(id)->name,
			  snapshot_pages(s, id, t->host->page_size), precise,
			  counter_lag(t, m, id));
}

static void judge_counters(const struct trial *t, const struct moment *m, const struct snapshot *s,
			   const struct where *w, struct judgement *j)
{
	for (const enum metric_id *id = modelled; *id != METRIC_NONE; id++)
		judge_counter(t, m, s, w, *id, j);
	judge_counter(t, m, s, w, METRIC_STATUS_VMSWAP, j);
}

/*
 * Checks for values that no correct kernel prints: negative, or larger than the address space. A
 * lagging counter may exceed the address space by its lag, because pages unmapped on one CPU may
 * still be counted on another.
 */
static void judge_absurd(const struct trial *t, const struct moment *at, const struct snapshot *s,
			 const struct where *w, struct judgement *j)
{
	int64_t space = snapshot_pages(s, METRIC_STATM_SIZE, t->host->page_size);

	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = metric(id);
		int64_t pages = snapshot_pages(s, id, t->host->page_size);
		int64_t lag = counter_lag(t, at, id);

		if (m->kind == KIND_EVENT || m->kind == KIND_PEAK || space < 0)
			continue;
		j->nr_checks++;
		if (s->values.of[id] < 0)
			judge_compare(j, w, RULE_NEGATIVE, m->name, pages, 0, 0, NULL);
		else if (pages > space && m->source != SOURCE_PAGEMAP && m->source != SOURCE_SCAN)
			judge_compare(j, w, RULE_EXCEEDS, m->name, pages, space, lag, NULL);
	}
}

void judge_invariants(const struct trial *t, size_t moment, unsigned process, struct judgement *j)
{
	const struct moment *m = &t->moments[moment];
	const struct snapshot *s = m->of[process];
	struct where w = { m->name, process };

	for (int i = 0; i < SOURCE_COUNT; i++) {
		char rule[sizeof(s->error[0].text) + 64];

		/* A file or an ioctl that this kernel does not have is not a discrepancy. */
		if (!s->error[i].text[0] || s->error[i].number == ENOENT ||
		    s->error[i].number == ENOTTY)
			continue;
		snprintf(rule, sizeof(rule), "%s should be readable, but %s",
			 source_name((enum source)i), s->error[i].text);
		judge_compare_as(j, &w, RULE_READABLE, rule, source_name((enum source)i), 0, 1, 0,
				 "");
	}
	judge_identities(t, m, s, &w, j);
	judge_rounded(s, &w, j);
	judge_private_share(t, s, &w, j);
	judge_pss_classes(s, &w, j);
	judge_counters(t, m, s, &w, j);
	judge_absurd(t, m, s, &w, j);
	judge_mappings(t, s, &w, j);
}
