// SPDX-License-Identifier: MIT
/* Adds up the mappings of a process by file. */
#include "files.h"
#include <stdlib.h>
#include <string.h>

static int by_file(const void *a, const void *b)
{
	const struct mapping *x = *(const struct mapping *const *)a;
	const struct mapping *y = *(const struct mapping *const *)b;
	int names = strcmp(x->name, y->name);

	if (names)
		return names;
	if (x->inode != y->inode)
		return x->inode < y->inode ? -1 : 1;
	if (x->dev_major != y->dev_major)
		return x->dev_major < y->dev_major ? -1 : 1;
	if (x->dev_minor != y->dev_minor)
		return x->dev_minor < y->dev_minor ? -1 : 1;
	return 0;
}

/* Stable, so that the first mapping of a file is the lowest. */
static int by_file_and_place(const void *a, const void *b)
{
	const struct mapping *x = *(const struct mapping *const *)a;
	const struct mapping *y = *(const struct mapping *const *)b;
	int files = by_file(a, b);

	return files ? files : (x > y) - (x < y);
}

static void add(struct file *f, const struct mapping *m)
{
	if (f->nr_maps++ == 0) {
		f->name = m->name[0] ? m->name : "[anonymous]";
		f->start = m->start;
	}
	f->size += (int64_t)((m->end - m->start) / 1024);
	f->rss += mapping_smaps(m, METRIC_SMAPS_RSS);
	f->pss += mapping_smaps(m, METRIC_SMAPS_PSS);
	f->swap += mapping_smaps(m, METRIC_SMAPS_SWAP);
	f->hugetlb += mapping_smaps(m, METRIC_SMAPS_SHARED_HUGETLB) +
		      mapping_smaps(m, METRIC_SMAPS_PRIVATE_HUGETLB);
	f->private_clean += mapping_smaps(m, METRIC_SMAPS_PRIVATE_CLEAN);
	f->private_dirty += mapping_smaps(m, METRIC_SMAPS_PRIVATE_DIRTY);
	f->shared_clean += mapping_smaps(m, METRIC_SMAPS_SHARED_CLEAN);
	f->shared_dirty += mapping_smaps(m, METRIC_SMAPS_SHARED_DIRTY);
}

struct place {
	struct file file;
	size_t was; /* before sorting */
};

static int by_size(const void *a, const void *b)
{
	const struct file *x = &((const struct place *)a)->file;
	const struct file *y = &((const struct place *)b)->file;

	if (x->rss != y->rss)
		return x->rss > y->rss ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* The largest first; of_map follows. */
static int order(struct files *f, size_t nr_maps)
{
	struct place *places = calloc(f->nr + 1, sizeof(*places));
	size_t *now = calloc(f->nr + 1, sizeof(*now));

	if (places && now) {
		for (size_t i = 0; i < f->nr; i++)
			places[i] = (struct place) { f->of[i], i };
		qsort(places, f->nr, sizeof(*places), by_size);
		for (size_t i = 0; i < f->nr; i++) {
			f->of[i] = places[i].file;
			now[places[i].was] = i;
		}
		for (size_t i = 0; i < nr_maps; i++)
			f->of_map[i] = now[f->of_map[i]];
	}

	bool ordered = places && now;

	free(places);
	free(now);
	return ordered ? 0 : -1;
}

static void group(struct files *f, const struct snapshot *s, const struct mapping **sorted,
		  bool each)
{
	for (size_t i = 0; i < s->nr_maps; i++)
		sorted[i] = &s->maps[i];
	if (!each)
		qsort(sorted, s->nr_maps, sizeof(*sorted), by_file_and_place);
	for (size_t i = 0; i < s->nr_maps; i++) {
		if (i == 0 || each || by_file(&sorted[i - 1], &sorted[i]))
			f->nr++;
		add(&f->of[f->nr - 1], sorted[i]);
		f->of_map[sorted[i] - s->maps] = f->nr - 1;
	}
}

int files_make(struct files *f, const struct snapshot *s, bool each)
{
	const struct mapping **sorted = calloc(s->nr_maps + 1, sizeof(*sorted));

	*f = (struct files) { .nr = 0 };
	f->of = calloc(s->nr_maps + 1, sizeof(*f->of));
	f->of_map = calloc(s->nr_maps + 1, sizeof(*f->of_map));
	if (sorted && f->of && f->of_map)
		group(f, s, sorted, each);

	bool failed = !sorted || !f->of || !f->of_map || order(f, s->nr_maps);

	free(sorted);
	if (failed)
		files_free(f);
	return failed ? -1 : 0;
}

void files_free(struct files *f)
{
	free(f->of);
	free(f->of_map);
	*f = (struct files) { .nr = 0 };
}

struct file files_sum(const struct files *f)
{
	struct file sum = { .name = "all" };

	for (size_t i = 0; i < f->nr; i++) {
		sum.nr_maps += f->of[i].nr_maps;
		sum.size += f->of[i].size;
		sum.rss += f->of[i].rss;
		sum.pss += f->of[i].pss;
		sum.swap += f->of[i].swap;
		sum.hugetlb += f->of[i].hugetlb;
		sum.private_clean += f->of[i].private_clean;
		sum.private_dirty += f->of[i].private_dirty;
		sum.shared_clean += f->of[i].shared_clean;
		sum.shared_dirty += f->of[i].shared_dirty;
	}
	return sum;
}
