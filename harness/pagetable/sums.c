// SPDX-License-Identifier: MIT
/* Adds up the counts of all mappings. */
#include "sums.h"
#include "source/parse.h"
#include "walkable.h"

struct sums {
	int64_t of[CLASS_COUNT];
	int64_t present, exclusive, soft_dirty, uffd_wp, guards;
	bool zero_known; /* the zero pages of every walked mapping are known */
	bool all_walked;
	bool rss_walked; /* mappings that were not walked contain no page that counts in an RSS */
};

static struct sums sum_up(const struct snapshot *s)
{
	struct sums sums = { .zero_known = true, .all_walked = true, .rss_walked = true };

	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];

		for (int c = 0; c < CLASS_COUNT; c++) {
			sums.of[c] += m->pagemap.of[c];
			sums.present += c == CLASS_SWAP ? 0 : m->pagemap.of[c];
		}
		sums.exclusive += m->pagemap.exclusive;
		sums.soft_dirty += m->pagemap.soft_dirty;
		sums.uffd_wp += m->pagemap.uffd_wp;
		sums.guards += m->pagemap.guards;
		if (!mapping_is_walkable(m))
			continue;
		sums.zero_known &= m->pagemap.zero_known || !m->pagemap.walked;
		sums.all_walked &= m->pagemap.walked;
		sums.rss_walked &= m->pagemap.walked || mapping_is_empty(m);
	}
	return sums;
}

static void set(struct values *v, enum metric_id id, int64_t value, bool known)
{
	v->of[id] = known ? value : 0;
	v->have[id] = known;
}

/*
 * METRIC_PAGEMAP_PRESENT, _ZERO and the sums of marks need every mapping walked, because a mapping
 * that is empty in smaps may have zero pages and marks.
 */
static void sums_store(struct values *v, const struct sums *s)
{
	set(v, METRIC_PAGEMAP_PRESENT, s->present, s->all_walked);
	set(v, METRIC_PAGEMAP_ANON, s->of[CLASS_ANON], s->rss_walked && s->zero_known);
	set(v, METRIC_PAGEMAP_FILE, s->of[CLASS_FILE], s->rss_walked);
	set(v, METRIC_PAGEMAP_SHMEM, s->of[CLASS_SHMEM], s->rss_walked);
	set(v, METRIC_PAGEMAP_ZERO, s->of[CLASS_ZERO], s->all_walked && s->zero_known);
	set(v, METRIC_PAGEMAP_HUGETLB, s->of[CLASS_HUGETLB], s->rss_walked);
	set(v, METRIC_PAGEMAP_SWAP, s->of[CLASS_SWAP], s->rss_walked);
	set(v, METRIC_PAGEMAP_SPECIAL, s->of[CLASS_SPECIAL], s->rss_walked);
	set(v, METRIC_PAGEMAP_EXCLUSIVE, s->exclusive, s->rss_walked);
	set(v, METRIC_PAGEMAP_UFFD_WP, s->uffd_wp, s->all_walked);
	set(v, METRIC_PAGEMAP_GUARD, s->guards, s->all_walked);
	set(v, METRIC_PAGEMAP_SOFT_DIRTY, s->soft_dirty, s->all_walked);
}

static void frames_store(struct snapshot *s, bool counted)
{
	bool all = counted;

	for (size_t i = 0; i < s->nr_maps; i++) {
		struct mapping *m = &s->maps[i];

		m->frames_read = counted && m->pagemap.walked && !m->pagemap.sampled;
		all &= m->frames_read || !mapping_is_walkable(m);
	}
	values_forget(&s->values, METRIC_FRAMES_FIRST, METRIC_FRAMES_LAST);
	for (size_t i = 0; all && i < s->nr_maps; i++)
		for (int k = 0; k < FRAMES_FIELDS; k++)
			s->values.of[METRIC_FRAMES_ANON + k] += s->maps[i].frames[k];
	for (unsigned id = METRIC_FRAMES_FIRST; id <= METRIC_FRAMES_LAST; id++)
		s->values.have[id] = all;
}

void pagemap_sum_up(struct snapshot *s, bool frames_counted)
{
	struct sums sums = sum_up(s);

	sums_store(&s->values, &sums);
	frames_store(s, frames_counted);
}
