// SPDX-License-Identifier: MIT
/*
 * The kernel gives pages back by page tables: so many at once, no more. To
 * hand in what a CPU holds back, a change must reach the batch with the very
 * last page table, and then nothing is held back: lib/percpu_counter.c
 * percpu_counter_add_batch() hands in all of it or nothing.
 *
 * At first what is held back is unknown. Pages are mapped until the counter
 * moves with the last of them: now nothing is held back, and so many pages are
 * too many. They go in rounds of a batch or up to a table less one page more,
 * each of which ends with a whole table; where too few are left for a round, a
 * batch is mapped before it. So what is left shrinks by a table less one page
 * with each two rounds, until it is one round.
 */
#include "settle_large.h"

struct stair {
	const struct settle_ops *ops;
	void *arg;
	int64_t batch, table, mapped;
	int64_t loose; /* of them, beside whole tables, as mapped last */
};

static void map_tables(struct stair *s, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		s->ops->map_table(s->arg);
	s->mapped += n * s->table;
}

/* Page by page, until the counter moves: what is held back is 0 then. */
static bool map_to_move(struct stair *s)
{
	int64_t before = s->ops->shown(s->arg);

	for (s->loose = 1; s->loose <= s->batch + s->table; s->loose++) {
		s->ops->map_page(s->arg);
		s->mapped++;
		if (s->ops->shown(s->arg) != before)
			return true;
	}
	return false;
}

/* From what is not known to nothing held back. */
static bool begin(struct stair *s)
{
	int64_t before = s->ops->shown(s->arg), most = 2 * s->batch / s->table + 2;

	do
		map_tables(s, 1);
	while (s->ops->shown(s->arg) == before && --most);
	/* Less than a table is held back after that, so as many as these move nothing. */
	if (s->batch > s->table)
		map_tables(s, (s->batch - s->table) / s->table);
	return most && map_to_move(s);
}

/* A batch more. */
static bool rise(struct stair *s)
{
	map_tables(s, (s->batch - 1) / s->table);
	return map_to_move(s);
}

static bool fall(struct stair *s)
{
	int64_t more = s->mapped - s->batch;
	int64_t pages = s->batch + (more < s->table ? more : s->table - 1);

	s->ops->drop_pages(s->arg, pages - s->table);
	s->mapped -= pages;
	return s->ops->drop_table(s->arg);
}

/* Each table is a round: the first with the pages beside the tables, which are no more than a
 * batch. */
static bool fall_by_tables(struct stair *s)
{
	s->ops->drop_pages(s->arg, s->loose);
	for (s->mapped -= s->loose; s->mapped; s->mapped -= s->table)
		if (!s->ops->drop_table(s->arg))
			return false;
	return true;
}

bool settle_large(const struct settle_ops *ops, void *arg, int64_t batch, int64_t table)
{
	struct stair s = { .ops = ops, .arg = arg, .batch = batch, .table = table };
	int64_t rounds = 4 * batch / table + 16;

	if (!begin(&s))
		return false;
	if (batch <= table)
		return fall_by_tables(&s);
	for (; s.mapped && rounds; rounds--)
		if (!(s.mapped >= batch ? fall(&s) : rise(&s)))
			return false;
	return !s.mapped;
}
