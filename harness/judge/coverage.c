// SPDX-License-Identifier: MIT
/* Finds the metrics whose movement a case checks: from its source, and in a run. */
#include "judge.h"

/* Double entry does not check a step with STEP_ANY_PAGES or STEP_REPLACES. */
static bool is_posted(const struct step *s)
{
	return !(s->flags & (STEP_ANY_PAGES | STEP_REPLACES));
}

static bool step_moves(const struct testcase *c, const struct step *s, enum metric_id id,
		       long page_size)
{
	for (unsigned process = 0; process <= c->processes; process++)
		if (postings_move(c, s->postings, id, process, page_size))
			return true;
	return false;
}

bool case_moves(const struct testcase *c, enum metric_id id, long page_size)
{
	for (const enum metric_id *m = c->moves; m && *m != METRIC_NONE; m++)
		if (*m == id)
			return true;
	for (size_t i = 0; i < c->posts.nr; i++) {
		const struct posting *p = &c->posts.list[i];

		if (postings_move(c, (struct postings) { p, 1 }, id, p->process, page_size))
			return true;
	}
	for (const struct step *s = c->steps; s && s->name; s++)
		if (is_posted(s) && step_moves(c, s, id, page_size))
			return true;
	return false;
}

/*
 * True if every snapshot of the first process has the metric. Some kernels have no PAGEMAP_SCAN,
 * and without it the pages of a very large mapping are not counted.
 */
static bool is_printed_here(const struct trial *t, enum metric_id id)
{
	if (metric(id)->source == SOURCE_RUSAGE)
		return true;
	for (size_t i = 0; i < t->nr_moments; i++)
		if (t->moments[i].of[0] && !t->moments[i].of[0]->values.have[id])
			return false;
	return true;
}

/*
 * If a read allocates a page instead of mapping the zero page, a case that only reads memory moves
 * no count of the zero page.
 */
static bool is_moved_here(const struct host *h, enum metric_id id)
{
	return !h->reads_own_pages || metric(id)->accounts != ACCOUNT_BIT(ACCOUNT_ZERO);
}

const char *judgement_unmoved(const struct trial *t, const struct judgement *j)
{
	for (size_t i = 0; i < t->nr_moments; i++)
		if (t->moments[i].skipped)
			return NULL;
	for (int id = 0; id < METRIC_COUNT; id++)
		if (j->moved[id] == MOVEMENT_UNSEEN && is_printed_here(t, id) &&
		    is_moved_here(t->host, id) && case_moves(t->c, id, t->host->page_size))
			return metric(id)->name;
	return NULL;
}
