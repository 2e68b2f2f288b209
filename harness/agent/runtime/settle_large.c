// SPDX-License-Identifier: MIT
/*
 * Settles a class whose batch is too large for one page table. The kernel subtracts the pages of
 * one page table in one change, and percpu_counter_add_batch() (lib/percpu_counter.c) flushes
 * everything or nothing. So the held-back count must reach the batch exactly with the last page of
 * a table.
 *
 * The held-back count is unknown at first. Pages are mapped one by one until the counter moves;
 * then nothing is held back, and the number of mapped pages is known. The pages are unmapped in
 * rounds. A round is a batch of pages plus fewer pages than a table has, and ends with a whole
 * table. If fewer pages than a batch are left, another batch is mapped. Such a batch and the next
 * round together leave fewer pages mapped, until none is left.
 */
#include "settle_large.h"

struct stair {
	const struct settle_ops *ops;
	void *arg;
	int64_t batch, table, mapped;
	int64_t loose; /* mapped pages outside whole tables */
};

static void map_tables(struct stair *s, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		s->ops->map_table(s->arg);
	s->mapped += n * s->table;
}

/* Maps pages one by one until the counter moves, which shows that nothing is held back. */
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

static bool begin(struct stair *s)
{
	int64_t before = s->ops->shown(s->arg), most = 2 * s->batch / s->table + 2;

	do
		map_tables(s, 1);
	while (s->ops->shown(s->arg) == before && --most);
	/* Now less than a table is held back, so these pages do not move the counter. */
	if (s->batch > s->table)
		map_tables(s, (s->batch - s->table) / s->table);
	return most && map_to_move(s);
}

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

/* Unmaps each table in a round of its own. The first round includes the loose pages. */
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
