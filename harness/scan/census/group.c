// SPDX-License-Identifier: MIT
/* Groups the processes of a census by process, program or user, and sorts the rows. */
#include "census.h"
#include <stdlib.h>
#include <string.h>

static int by_pid(const void *a, const void *b)
{
	const struct member *x = *(const struct member *const *)a;
	const struct member *y = *(const struct member *const *)b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

/* Sorts by private memory, so that the median is in the middle. */
static int by_own(const void *a, const void *b)
{
	const struct member *x = *(const struct member *const *)a;
	const struct member *y = *(const struct member *const *)b;

	return x->own != y->own ? (x->own < y->own ? -1 : 1) : by_pid(a, b);
}

static int by_program(const void *a, const void *b)
{
	const struct member *x = *(const struct member *const *)a;
	const struct member *y = *(const struct member *const *)b;
	int names = strcmp(x->name, y->name);

	return names ? names : by_own(a, b);
}

static int by_user(const void *a, const void *b)
{
	const struct member *x = *(const struct member *const *)a;
	const struct member *y = *(const struct member *const *)b;

	return x->uid != y->uid ? (x->uid < y->uid ? -1 : 1) : by_own(a, b);
}

static bool is_together(const struct member *a, const struct member *b, enum census_by by)
{
	if (by == BY_PROGRAM)
		return !strcmp(a->name, b->name);
	return by == BY_USER && a->uid == b->uid;
}

static void row_add(struct census_row *row, const struct member *m)
{
	if (row->nr++ == 0)
		row->first = m;
	row->vmrss += m->vmrss > 0 ? m->vmrss : 0;
	row->rss += m->rss;
	row->pss += m->pss;
	row->uss += m->uss;
	row->swap += m->swap;
}

static void rows_fill(struct census *c, const struct member *const *sorted, enum census_by by)
{
	size_t end;

	for (size_t i = 0; i < c->nr_members; i = end) {
		struct census_row *row = &c->rows[c->nr_rows++];

		for (end = i;
		     end < c->nr_members && (end == i || is_together(sorted[i], sorted[end], by));
		     end++)
			row_add(row, sorted[end]);
		/*
		 * One more process of a program adds only private memory, because the shared memory
		 * exists already.
		 */
		row->one_more = sorted[i + row->nr / 2]->own;
		row->one_more_least = sorted[i]->own;
		row->one_more_most = sorted[end - 1]->own;
	}
}

static int64_t key(const struct census_row *row, enum census_sort sort)
{
	switch (sort) {
	case SORT_USS:
		return row->uss;
	case SORT_RSS:
		return row->rss;
	case SORT_SWAP:
		return row->swap;
	case SORT_ONE_MORE:
		return row->one_more;
	case SORT_PID:
		return -(int64_t)row->first->pid;
	default:
		return row->pss;
	}
}

static int row_order(const void *a, const void *b, void *arg)
{
	const struct census_row *x = a, *y = b;
	enum census_sort sort = *(const enum census_sort *)arg;
	int64_t first = key(x, sort), second = key(y, sort);

	if (sort == SORT_NAME && strcmp(x->first->name, y->first->name))
		return strcmp(x->first->name, y->first->name);
	if (sort != SORT_NAME && first != second)
		return first > second ? -1 : 1;
	return (x->first->pid > y->first->pid) - (x->first->pid < y->first->pid);
}

static void sum_up(struct census *c)
{
	c->sum = (struct member) { .pid = 0 };
	for (size_t i = 0; i < c->nr_members; i++) {
		const struct member *m = &c->members[i];

		c->sum.vmrss += m->vmrss > 0 ? m->vmrss : 0;
		c->sum.rss += m->rss;
		c->sum.pss += m->pss;
		c->sum.uss += m->uss;
		c->sum.swap += m->swap;
		c->sum.pss_anon += m->pss_anon;
		c->sum.pss_file += m->pss_file;
		c->sum.pss_shmem += m->pss_shmem;
		c->sum.hugetlb += m->hugetlb;
	}
}

int census_group(struct census *c, const struct census_wanted *w)
{
	static int (*const orders[])(const void *, const void *) = {
		[BY_PROCESS] = by_pid, [BY_PROGRAM] = by_program, [BY_USER] = by_user
	};
	const struct member **sorted = calloc(c->nr_members + 1, sizeof(*sorted));
	enum census_sort sort = w->sort;

	c->rows = calloc(c->nr_members + 1, sizeof(*c->rows));
	c->nr_rows = 0;
	if (!sorted || !c->rows) {
		free(sorted);
		return -1;
	}
	for (size_t i = 0; i < c->nr_members; i++)
		sorted[i] = &c->members[i];
	qsort(sorted, c->nr_members, sizeof(*sorted), orders[w->by]);
	rows_fill(c, sorted, w->by);
	qsort_r(c->rows, c->nr_rows, sizeof(*c->rows), row_order, &sort);
	free(sorted);
	sum_up(c);
	return 0;
}
