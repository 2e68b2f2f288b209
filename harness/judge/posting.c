// SPDX-License-Identifier: MIT
/*
 * Checks metrics by double entry. metrics.def turns the few postings of a step into the expected
 * movement of each metric. A metric that no posting moves must not move, unless metrics.def calls
 * it unconstrained.
 */
#include "private.h"
#include <string.h>

/* The kernel computes Pss with 12 fraction bits (fs/proc/task_mmu.c PSS_SHIFT). */
enum { FRACTION = 1 << 12 };

static unsigned attributes(const struct posting *p)
{
	return p->attributes | p->also;
}

static bool counts(const struct posting *p, const struct metric *m, unsigned process)
{
	if (p->process != process || !(m->accounts & ACCOUNT_BIT(p->account)))
		return false;
	if ((attributes(p) & m->with) != m->with || (attributes(p) & m->without))
		return false;
	if (m->sharing == SHARING_PRIVATE)
		return p->sharers < 2;
	if (m->sharing == SHARING_SHARED)
		return p->sharers >= 2;
	return true;
}

int64_t postings_sum(struct postings all, const struct metric *m, unsigned process, long page_size)
{
	int64_t bytes = 0; /* in bytes / FRACTION */

	for (size_t i = 0; i < all.nr; i++) {
		const struct posting *p = &all.list[i];
		int64_t one = (int64_t)page_size * FRACTION;

		if (!counts(p, m, process))
			continue;
		if (m->sharing == SHARING_PROPORTIONAL && p->sharers > 1)
			one /= p->sharers;
		bytes += p->pages * one;
	}
	switch (m->unit) {
	case UNIT_KB:
		return bytes / 1024;
	case UNIT_PAGES:
		return bytes / page_size;
	default:
		return bytes;
	}
}

/*
 * True for the program's own mappings whose pages other processes may share: text, libraries, vdso,
 * and, if the case has children, heap and stack. Others may map the same files and write them back,
 * so the workload does not control whether those pages are shared or dirty.
 */
static bool mapping_is_background(const struct mapping *m, const struct snapshot *baseline,
				  bool has_children)
{
	if (!strncmp(m->name, "[vdso]", 6) || !strncmp(m->name, "[vvar", 5))
		return true;
	if (!has_children && !mapping_has_file(m))
		return false;
	for (size_t i = 0; i < baseline->nr_maps; i++)
		if (m->start < baseline->maps[i].end && m->end > baseline->maps[i].start)
			return true;
	return false;
}

/*
 * Returns the amount that a mapping adds to a metric, in the metric's unit. The metric must be one
 * that rssck knows for each mapping.
 */
static int64_t mapping_value(const struct mapping *m, enum metric_id id)
{
	switch (metric(id)->source) {
	case SOURCE_PAGEMAP:
		return m->pagemap.exclusive;
	case SOURCE_NUMA:
		return m->numa[id - METRIC_NUMA_FIRST];
	case SOURCE_FRAMES:
		return m->frames[id - METRIC_FRAMES_FIRST];
	case SOURCE_ROLLUP:
		/*
		 * This is Pss_File of a background mapping, because its anonymous pages are not
		 * shared.
		 */
		return mapping_smaps(m, METRIC_SMAPS_PSS) -
		       mapping_smaps(m, METRIC_SMAPS_ANONYMOUS);
	default:
		return mapping_smaps(m, id);
	}
}

/*
 * True for metrics that other processes can change in background mappings, by sharing pages of our
 * text or by writing its file back.
 */
static bool is_sensitive(const struct metric *m)
{
	return m->sharing != SHARING_ANY || ((m->with | m->without) & PAGE_DIRTY);
}

/*
 * Returns the metric whose value is known for each mapping, to separate background from foreground.
 * For a metric of smaps_rollup this is the field of smaps with the same name. smaps has no
 * Pss_File; it can be computed from a mapping's other fields if no anonymous background page is
 * shared.
 */
static enum metric_id split_by(const struct testcase *c, enum metric_id id)
{
	enum source source = metric(id)->source;

	if (source == SOURCE_SMAPS || source == SOURCE_NUMA || source == SOURCE_FRAMES ||
	    id == METRIC_PAGEMAP_EXCLUSIVE)
		return id;
	if (id == METRIC_ROLLUP_PSS_FILE)
		return c->processes == 0 ? id : METRIC_NONE;
	if (metric(id)->source == SOURCE_ROLLUP)
		return metric_by_key(SOURCE_SMAPS, metric(id)->key, strlen(metric(id)->key),
				     METRIC_NONE);
	return METRIC_NONE;
}

/*
 * Returns the part of a metric that the foreground mappings add. *nr counts the mappings that may
 * have lost a fraction to rounding.
 */
static int64_t foreground(const struct trial *t, const struct snapshot *s, enum metric_id id,
			  int64_t *nr)
{
	const struct snapshot *baseline = t->moments[0].of[0];
	bool rollup = metric(id)->source == SOURCE_ROLLUP;
	enum metric_id field = split_by(t->c, id);
	int64_t sum = s && rollup ? s->values.of[id] : 0;

	for (size_t i = 0; s && i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];
		bool background = mapping_is_background(m, baseline, t->c->processes > 0);

		if (!mapping_smaps(m, METRIC_SMAPS_SIZE) || background != rollup)
			continue;
		sum += rollup ? -mapping_value(m, field) : mapping_value(m, field);
		*nr += mapping_smaps(m, METRIC_SMAPS_RSS) || mapping_smaps(m, METRIC_SMAPS_SWAP);
	}
	return sum;
}

/*
 * True if the share of every shared page is a whole number of kB. Otherwise Pss is rounded down for
 * each mapping.
 */
static bool shares_are_whole(const struct trial *t)
{
	for (size_t i = 0; i < t->nr_moments; i++) {
		struct postings p = moment_postings(&t->moments[i]);

		for (size_t k = 0; k < p.nr; k++)
			if (p.list[k].sharers > 1 &&
			    (t->host->page_size / 1024) % p.list[k].sharers)
				return false;
	}
	return true;
}

static bool is_named(struct postings p, const struct metric *m, unsigned process)
{
	for (size_t i = 0; i < p.nr; i++)
		if (p.list[i].process == process && attributes(&p.list[i]) & m->with)
			return true;
	return false;
}

struct entry {
	int64_t seen, expected, bound; /* in the metric's own unit */
	int64_t left_out; /* the part of the posted value that this kernel leaves out: Pss of huge
			     pages */
};

static void enter(const struct trial *t, const struct where *where, enum metric_id id,
		  const struct entry *e, struct judgement *j)
{
	const struct metric *m = metric(id);
	int64_t unit = m->unit == UNIT_KB      ? t->host->page_size / 1024
		       : m->unit == UNIT_BYTES ? t->host->page_size
					       : 1;
	bool whole = e->seen % unit == 0 && e->expected % unit == 0 &&
		     m->sharing != SHARING_PROPORTIONAL;

	judge_note_movement(j, id, e->expected + e->left_out, e->bound);
	if (whole)
		judge_compare(j, where, RULE_MOVED, m->name, e->seen / unit, e->expected / unit,
			      e->bound / unit, NULL);
	else
		judge_compare(j, where, RULE_MOVED, m->name, e->seen, e->expected, e->bound,
			      m->unit == UNIT_KB      ? "kB"
			      : m->unit == UNIT_BYTES ? "bytes"
						      : NULL);
}

/* Two moments of one process. `before` is NULL if the step started the process. */
struct pair {
	const struct snapshot *before, *after;
	const struct moment *from, *to;
	struct postings expected;
	struct where where;
};

/*
 * Returns the sum of a counter's lag at both moments (0 if settled), or a negative number if it is
 * unknown.
 */
static int64_t lag_bound(const struct trial *t, const struct pair *p, enum metric_id id)
{
	int64_t unit = metric(id)->unit == UNIT_KB ? t->host->page_size / 1024 : 1;

	if (metric(id)->kind != KIND_COUNTER)
		return 0;

	int64_t before = counter_lag(t, p->from, id), after = counter_lag(t, p->to, id);

	return before < 0 || after < 0 ? -unit : (before + after) * unit;
}

/*
 * True if the text of the program or of a library is shmem, because it is on a tmpfs or an
 * initramfs.
 */
static bool has_shmem_background(const struct trial *t)
{
	const struct snapshot *baseline = t->moments[0].of[0];

	for (size_t i = 0; i < baseline->nr_maps; i++) {
		const struct mapping *m = &baseline->maps[i];

		if (mapping_has_file(m) &&
		    host_is_shmem_device(t->host, m->dev_major, m->dev_minor))
			return true;
	}
	return false;
}

/*
 * True if the whole metric is judged, with the background. Pss_Anon and Pss_Shmem exist only in
 * smaps_rollup and cannot be split by mapping. Without children no background page of these classes
 * is shared, and the background is seldom shmem.
 */
static bool is_judged_whole(const struct testcase *c, enum metric_id id, bool is_new)
{
	if (is_new)
		return false;
	return !is_sensitive(metric(id)) || id == METRIC_ROLLUP_PSS_SHMEM ||
	       (id == METRIC_ROLLUP_PSS_ANON && c->processes == 0);
}

/*
 * True if double entry checks the metric for this process. `is_new`: the step started the process.
 */
static bool postings_are_judged(const struct testcase *c, enum metric_id id, bool is_new)
{
	return is_judged_whole(c, id, is_new) || split_by(c, id) != METRIC_NONE;
}

/*
 * Returns the part of Pss that is missing on kernels that leave out a single process's huge pages,
 * in the unit of postings_sum().
 */
static int64_t left_out(const struct trial *t, const struct pair *p, const struct metric *m)
{
	int64_t sum = 0;

	if (!t->host->pss_loses_huge || m->sharing != SHARING_PROPORTIONAL)
		return 0;
	for (size_t i = 0; i < p->expected.nr; i++) {
		const struct posting *one = &p->expected.list[i];
		bool is_lost = one->account == ACCOUNT_ANON && attributes(one) & PAGE_HUGE &&
			       one->sharers < 2;

		if (is_lost)
			sum += postings_sum((struct postings) { .list = one, .nr = 1 }, m,
					    p->where.process, t->host->page_size);
	}
	return sum;
}

static void judge_metric(const struct trial *t, const struct pair *p, enum metric_id id,
			 struct judgement *j)
{
	const struct metric *m = metric(id);
	int64_t posted = postings_sum(p->expected, m, p->where.process, t->host->page_size);
	int64_t lost = left_out(t, p, m);
	struct entry e = { .expected = (posted - lost) / FRACTION,
			   .bound = lag_bound(t, p, id),
			   .left_out = lost / FRACTION };
	bool whole = is_judged_whole(t->c, id, !p->before);
	int64_t before = 0, after = 0;

	/* A child shares the background's pages, and their part of the sum cannot be separated. */
	if (id == METRIC_ROLLUP_PSS_SHMEM && t->c->processes > 0 && has_shmem_background(t))
		return;
	if (whole) {
		e.seen = p->after->values.of[id] - p->before->values.of[id];
	} else if (split_by(t->c, id) != METRIC_NONE) {
		e.seen = foreground(t, p->after, id, &after) -
			 foreground(t, p->before, id, &before);
	} else {
		return;
	}
	/*
	 * smaps_rollup rounds once, but the subtracted background was rounded for each mapping. The
	 * larger of the two roundings, before and after the step, bounds the error.
	 */
	if (m->sharing == SHARING_PROPORTIONAL &&
	    ((m->source == SOURCE_ROLLUP && !whole) || !shares_are_whole(t)))
		e.bound += (before > after ? before : after) + (m->source == SOURCE_ROLLUP);
	enter(t, &p->where, id, &e, j);
}

bool postings_move(const struct testcase *c, struct postings p, enum metric_id id, unsigned process,
		   long page_size)
{
	const struct metric *m = metric(id);

	if (m->unconstrained && !is_named(p, m, process))
		return false;
	/*
	 * The case's source does not show whether a forked process existed before, so it is treated
	 * as new.
	 */
	return postings_are_judged(c, id, process > 0) &&
	       postings_sum(p, m, process, page_size) / FRACTION != 0;
}

/* True if the case declares that its own judge() checks this metric's movement. */
static bool is_the_judges(const struct testcase *c, enum metric_id id)
{
	for (const enum metric_id *m = c->moves; m && *m != METRIC_NONE; m++)
		if (*m == id)
			return true;
	return false;
}

void judge_postings(const struct trial *t, size_t from, size_t to, unsigned process,
		    struct judgement *j)
{
	const struct moment *at = &t->moments[to];
	struct pair p = {
		.before = t->moments[from].of[process],
		.after = at->of[process],
		.from = &t->moments[from],
		.to = at,
		.expected = moment_postings(at),
		.where = { at->name, process },
	};

	if (!p.after || (!p.before && process == 0))
		return;
	for (int id = 0; id < METRIC_COUNT; id++) {
		const struct metric *m = metric(id);

		if (m->unconstrained && !is_named(p.expected, m, process))
			continue;
		if (!m->accounts && is_the_judges(t->c, id))
			continue;
		if (!p.after->values.have[id] || (p.before && !p.before->values.have[id]))
			continue;
		judge_metric(t, &p, id, j);
	}
}
