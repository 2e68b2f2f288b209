// SPDX-License-Identifier: MIT
/*
 * Sums what ending some processes frees: their private memory, and objects that nothing else keeps.
 */
#include "ending.h"
#include "anon.h"
#include <errno.h>
#include <rssck/source.h>
#include <string.h>

static int add_mapping(struct ending *e, const struct mapping *m, pid_t pid, const struct host *h)
{
	bool object = mapping_is_object(m, pid, h);

	if (object && objects_add(&e->objects, m, pid))
		return -ENOMEM;
	if (!m->shared) {
		e->swap += mapping_smaps(m, METRIC_SMAPS_SWAPPSS);
		e->hugetlb += mapping_has_file(m) && !mapping_has_flag(m, "ht")
				      ? 0
				      : mapping_smaps(m, METRIC_SMAPS_PRIVATE_HUGETLB);
	}
	return 0;
}

static int add_mappings(struct ending *e, struct anon *a, const struct snapshot *s)
{
	int error = anon_add(a, s, NULL);

	for (size_t i = 0; i < s->nr_maps && !error; i++) {
		e->anon_maybe += mapping_smaps(&s->maps[i], METRIC_SMAPS_ANONYMOUS);
		error = add_mapping(e, &s->maps[i], s->pid, a->h);
	}
	return error;
}

static int add_process(struct ending *e, struct anon *a, pid_t pid, struct text *t)
{
	struct snapshot s = { .pid = pid };
	struct values status = { .have = { false } };
	struct source_error wrong;
	int error = text_read(t, pid, "status");

	if (!error && !status_read(t->data, t->len, &status, &wrong))
		e->tables += status.of[METRIC_STATUS_VMPTE];
	if (!error)
		error = text_read(t, pid, "smaps");
	if (!error && t->len && !smaps_read(t->data, t->len, &s, &wrong)) {
		e->nr++;
		error = add_mappings(e, a, &s);
	}
	snapshot_free(&s);
	return error == -ESRCH || error == -ENOENT ? 0 : error;
}

static void add_object(struct ending *e, const struct object *one)
{
	if (one->kept) {
		e->kept += one->kb;
		return;
	}
	if (one->hugetlb) {
		e->hugetlb += one->kb;
		return;
	}
	e->shmem += one->kb;
	e->shmem_swap += one->swap;
	e->whole &= one->whole;
	if (one->whole && one->kb > one->mapped + one->swap)
		e->shmem_unmapped += one->kb - one->mapped - one->swap;
}

int ending_read(struct ending *e, const pid_t *pids, size_t nr, const struct host *h, char *why,
		size_t size)
{
	struct anon a = { .h = h };
	struct text t = { .data = NULL };
	int64_t pages = 0, kb = h->page_size / 1024, maybe;
	int error = 0;

	*e = (struct ending) { .whole = true };
	for (size_t i = 0; i < nr && !error; i++)
		error = add_process(e, &a, pids[i], &t);
	if (!error)
		pages = anon_pages_alone(&a, &maybe);
	if (!error && pages < 0)
		error = (int)pages;
	/*
	 * smaps leaves out the zero page, which pagemap alone does not distinguish from shared
	 * pages.
	 */
	e->anon = pages * kb;
	e->anon_maybe = a.nr || e->anon_maybe < e->anon ? 0 : e->anon_maybe - e->anon;
	if (!error)
		error = objects_find_keepers(&e->objects, pids, nr);
	for (size_t i = 0; i < e->objects.nr; i++)
		add_object(e, &e->objects.of[i]);
	anon_free(&a);
	text_free(&t);
	if (!error)
		return 0;
	snprintf(why, size, "memory that its end would free: %s", strerror(-error));
	ending_free(e);
	return -1;
}

void ending_free(struct ending *e)
{
	objects_free(&e->objects);
}

int64_t ending_total(const struct ending *e)
{
	return e->anon + e->swap + e->tables + e->shmem;
}

int64_t anon_alone(const struct snapshot *s, const struct mapping *only, const struct host *h)
{
	struct anon a = { .h = h };
	int64_t maybe, pages = anon_add(&a, s, only);

	if (pages >= 0)
		pages = anon_pages_alone(&a, &maybe);
	anon_free(&a);
	return pages < 0 ? pages : pages * (h->page_size / 1024);
}
