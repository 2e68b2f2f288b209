// SPDX-License-Identifier: MIT
/*
 * rssck atlas --grid: runs each act on each kind of memory, and records the numbers that the act
 * changes.
 */
#include "grid/grid.h"
#include "atlas/run.h"
#include "base/memory.h"
#include "run.h"
#include <rssck/source.h>
#include <stdlib.h>
#include <string.h>

struct making {
	struct run *r;
	struct atlas *z;
	struct grid *g;
	enum moment_of at;                    /* the moment that is recorded */
	struct grid_cell *cell[SIDE_WINDOWS]; /* where the numbers of each sequence are stored */
};

static bool is_inside(const struct side *side, unsigned window, const struct mapping *m)
{
	uint64_t start = side->arena + window * side->window;

	return m->start >= start && m->start < start + side->window;
}

static void add_mapping(struct grid_cell *c, const struct mapping *m, int64_t page_kb)
{
	const int64_t *class = m->pagemap.of;

	c->of[GRID_SIZE] += (int64_t)(m->end - m->start) / 1024;
	c->of[GRID_ANON] += class[CLASS_ANON] * page_kb;
	c->of[GRID_FILE] += class[CLASS_FILE] * page_kb;
	c->of[GRID_SHMEM] += class[CLASS_SHMEM] * page_kb;
	c->of[GRID_HUGETLB] += class[CLASS_HUGETLB] * page_kb;
	c->of[GRID_PSS] += mapping_smaps(m, METRIC_SMAPS_PSS);
	c->of[GRID_VMSWAP] += class[CLASS_SWAP] * page_kb;
	c->of[GRID_SWAP] += mapping_smaps(m, METRIC_SMAPS_SWAP);
	c->of[GRID_DIRTY] += mapping_smaps(m, METRIC_SMAPS_PRIVATE_DIRTY) +
			     mapping_smaps(m, METRIC_SMAPS_SHARED_DIRTY);
	c->of[GRID_LAZYFREE] += mapping_smaps(m, METRIC_SMAPS_LAZYFREE);
	c->of[GRID_SOFT] += m->pagemap.soft_dirty_entries * page_kb;
}

static int64_t since_start(const struct atlas *z, enum metric_id id)
{
	return z->look.of[0].values.of[id] - z->baseline.of[id];
}

/* Without a cgroup, the columns for its charges stay empty. */
static void take_charge(const struct atlas *z, struct grid_cell *c)
{
	struct charge now;

	charge_take(&now, z->side->cgroup);
	if (!now.known || !z->before.known)
		return;
	c->of[GRID_CGROUP] = now.kb[CHARGE_ANON] + now.kb[CHARGE_FILE] - z->before.kb[CHARGE_ANON] -
			     z->before.kb[CHARGE_FILE];
	c->of[GRID_CGROUP_SWAP] = now.kb[CHARGE_SWAP] - z->before.kb[CHARGE_SWAP];
}

static void take(void *data, const struct batch *b, unsigned i, enum moment_of at,
		 const struct view *v)
{
	struct making *m = data;
	const struct look *l = &m->z->look;
	int64_t page_kb = m->r->engine.host.page_size / 1024;
	struct grid_cell *c = m->cell[i];

	(void)b, (void)v;
	if (at != m->at)
		return;
	*c = (struct grid_cell) { .known = true };
	for (size_t n = 0; n < l->of[0].nr_maps; n++)
		if (is_inside(m->z->side, i, &l->of[0].maps[n]))
			add_mapping(c, &l->of[0].maps[n], page_kb);
	c->of[GRID_VMLCK] = since_start(m->z, METRIC_STATUS_VMLCK);
	c->of[GRID_TABLES] = since_start(m->z, METRIC_STATUS_VMPTE);
	take_charge(m->z, c);
	c->of[GRID_ERRNO] = m->z->side->outcomes[i].error;
	c->of[GRID_SIGNALS] = m->z->side->outcomes[i].faulted;
}

static void run_batch(struct making *m, const struct batch *b)
{
	struct suspect f;
	enum ran ran = atlas_run(m->z, b, false, &f);
	char words[SEQUENCE_TEXT];

	if (ran == RAN)
		return;
	fprintf(m->r->text, "left out: %s%s: %s\n", sequence_print(&m->r->words, &b->of[0], words),
		b->nr > 1 ? " and others" : "", ran == RAN_WRONG ? f.d.metric : m->z->why);
	for (unsigned i = 0; i < b->nr; i++)
		m->cell[i]->known = false;
}

/* A sequence that consists of the act, with nothing or clear_refs before it. */
static struct sequence act_on(unsigned kind, unsigned event, unsigned act)
{
	return (struct sequence) { .kind = (uint8_t)kind,
				   .event = (uint8_t)event,
				   .length = 2,
				   .act = { NO_WORD, (uint8_t)act, NO_WORD },
				   .access = NO_WORD };
}

static bool is_wanted(const struct run *r, unsigned kind, unsigned act)
{
	const struct words *w = &r->words;
	struct sequence s = { .kind = (uint8_t)kind,
			      .event = NO_WORD,
			      .length = 1,
			      .act = { (uint8_t)act, NO_WORD, NO_WORD } };

	return r->has_kind[kind] && (!r->o.some_acts || r->o.acts[act]) &&
	       sequence_of(w, 1, sequence_number(w, 1, &s), &s);
}

/*
 * Each act runs in a batch of its own, so that the process's page tables are those of one region.
 */
static void make_kind(struct making *m, unsigned kind)
{
	struct batch b = { .nr = 1, .each_moment = true };

	b.of[0] = act_on(kind, NO_WORD, NO_WORD);
	b.of[0].length = 0;
	m->at = AT_KIND;
	m->cell[0] = &m->g->before[kind];
	run_batch(m, &b);
	/*
	 * Soft-dirty pages are counted after clear_refs (make_soft_dirty()), so before the act
	 * there are none.
	 */
	m->g->before[kind].of[GRID_SOFT] = 0;
	if (m->g->before[kind].of[GRID_ERRNO] || !m->g->before[kind].of[GRID_SIZE])
		m->g->before[kind].known = false;
	if (!m->g->before[kind].known)
		return;
	b.each_moment = false;
	m->at = AT_SECOND;
	for (unsigned a = 0; a < m->r->words.nr_acts && !m->r->shared->stop; a++) {
		b.of[0] = act_on(kind, NO_WORD, a);
		m->cell[0] = &m->g->after[kind][a];
		if (is_wanted(m->r, kind, a))
			run_batch(m, &b);
	}
}

static unsigned find_clear(const struct words *w)
{
	unsigned i = 0;

	while (i < w->nr_events && strcmp(w->events[i].name, "clear") != 0)
		i++;
	return i;
}

/*
 * Runs an act again after clear_refs, on all kinds of one size in one batch, to count the pages
 * that the act makes soft-dirty.
 */
static void make_soft_dirty(struct making *m, unsigned act, enum word_size size)
{
	static struct grid_cell cells[SIDE_WINDOWS];
	const struct words *w = &m->r->words;
	struct batch b = { .nr = 0 };

	m->at = AT_SECOND;
	for (unsigned k = 0; k < w->nr_kinds; k++) {
		if (w->kinds[k].size != size || !is_wanted(m->r, k, act))
			continue;
		cells[b.nr].known = false;
		m->cell[b.nr] = &cells[b.nr];
		b.of[b.nr++] = act_on(k, find_clear(w), act);
	}
	if (b.nr)
		run_batch(m, &b);
	for (unsigned i = 0; i < b.nr; i++)
		m->g->after[b.of[i].kind][act].of[GRID_SOFT] = cells[i].known
								       ? cells[i].of[GRID_SOFT]
								       : 0;
}

static void name_all(struct grid *g, const struct words *w, const struct host *h)
{
	snprintf(g->release, sizeof(g->release), "%s", h->release);
	snprintf(g->machine, sizeof(g->machine), "%.31s", h->machine);
	g->page_size = h->page_size;
	for (; g->nr_kinds < w->nr_kinds; g->nr_kinds++)
		memcpy(g->kinds[g->nr_kinds], w->kinds[g->nr_kinds].name, GRID_NAME);
	for (; g->nr_acts < w->nr_acts; g->nr_acts++)
		memcpy(g->acts[g->nr_acts], w->acts[g->nr_acts].name, GRID_NAME);
}

_Static_assert((int)GRID_NAME == (int)WORD_TEXT && (int)GRID_KINDS >= (int)KINDS_MAX &&
		       (int)GRID_ACTS >= (int)ACTS_MAX,
	       "a grid has room for all words");

static bool is_empty(const struct grid_cell *c)
{
	return !c->of[GRID_ANON] && !c->of[GRID_FILE] && !c->of[GRID_SHMEM] &&
	       !c->of[GRID_HUGETLB] && !c->of[GRID_VMSWAP] && !c->of[GRID_SWAP];
}

static bool is_all_anon(const struct grid_cell *c)
{
	return c->of[GRID_ANON] == c->of[GRID_SIZE] && !c->of[GRID_ERRNO] && !c->of[GRID_FILE] &&
	       !c->of[GRID_SHMEM] && !c->of[GRID_HUGETLB];
}

/*
 * Leaves out columns that lag, because an act would seem to make changes that earlier acts have
 * made. 5.10 adds to memory.stat in batches of 33 pages (mm/memcontrol.c __mod_memcg_state()). Up
 * to 6.13 memory.swap.current can fall below its value before any act, because the CPU keeps freed
 * swap slots, which stay charged (mm/swap_slots.c).
 */
static unsigned exact_columns(const struct grid *g)
{
	unsigned columns = GRID_ALL_COLUMNS;

	for (unsigned k = 0; k < g->nr_kinds; k++)
		for (unsigned a = 0; a < g->nr_acts; a++) {
			const struct grid_cell *was = &g->before[k], *is = &g->after[k][a];

			if (!was->known || !is->known)
				continue;
			if (is->of[GRID_CGROUP_SWAP] < 0)
				columns &= ~(1U << GRID_CGROUP_SWAP);
			if (is_empty(was) && is_all_anon(is) &&
			    is->of[GRID_CGROUP] - was->of[GRID_CGROUP] != is->of[GRID_ANON])
				columns &= ~(1U << GRID_CGROUP);
		}
	return columns;
}

int grid_make(struct run *r, FILE *out)
{
	struct making m = { .r = r, .z = calloc(1, sizeof(*m.z)), .g = calloc(1, sizeof(*m.g)) };
	int status = EXIT_HOLDS;

	if (!m.z || !m.g)
		memory_gone("the grid");
	name_all(m.g, &r->words, &r->engine.host);
	if (atlas_open(m.z, &r->engine, &r->words) < 0)
		return trouble("atlas: %s", m.z->why);
	m.z->stop = &r->shared->stop;
	m.z->viewed = take;
	m.z->settles_cgroup = true;
	m.z->data = &m;
	for (unsigned k = 0; k < r->words.nr_kinds; k++)
		if (r->has_kind[k])
			make_kind(&m, k);
	for (unsigned a = 0; a < r->words.nr_acts && !r->shared->stop; a++)
		for (unsigned size = 0; size < SIZE_COUNT; size++)
			make_soft_dirty(&m, a, (enum word_size)size);
	atlas_close(m.z);
	m.g->columns = exact_columns(m.g);
	if (r->shared->stop)
		status = EXIT_TROUBLE;
	else if (grid_write(m.g, out))
		status = trouble("atlas: the grid: %m");
	free(m.g);
	free(m.z);
	return status;
}
