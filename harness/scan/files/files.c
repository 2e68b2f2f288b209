// SPDX-License-Identifier: MIT
/* Sums the mappings of a process by file. */
#include "files.h"
#include "base/memory.h"
#include "scan/process/names.h"
#include <stdlib.h>
#include <string.h>

static const char *name_of(const struct mapping *m)
{
	return m->name[0] ? m->name : "[anonymous]";
}

static bool is_same(const struct file *f, const struct mapping *m)
{
	return f->inode == m->inode && f->dev_major == m->dev_major &&
	       f->dev_minor == m->dev_minor && !strcmp(f->name, name_of(m));
}

static size_t hash_of(const char *name, uint64_t inode)
{
	uint64_t hash = inode;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3ULL;
	return (size_t)(hash ^ hash >> 32);
}

/* Doubles the hash table, which is at most half full. */
static void grow_table(struct files *f)
{
	size_t mask = f->mask ? 2 * f->mask + 1 : 255;
	size_t *slots = calloc(mask + 1, sizeof(*slots));

	if (!slots)
		memory_gone("mappings");
	for (size_t i = 0; i < f->nr; i++) {
		size_t at = hash_of(f->of[i].name, f->of[i].inode) & mask;

		while (slots[at])
			at = (at + 1) & mask;
		slots[at] = i + 1;
	}
	free(f->slots);
	f->slots = slots;
	f->mask = mask;
}

static size_t new_file(struct files *f, const struct mapping *m)
{
	struct file *file;

	f->of = memory_one_more(f->of, f->nr, sizeof(*file), "mappings");
	file = &f->of[f->nr];
	*file = (struct file) { .name = strdup(name_of(m)),
				.start = m->start,
				.end = m->end,
				.inode = m->inode,
				.dev_major = m->dev_major,
				.dev_minor = m->dev_minor };
	if (!file->name)
		memory_gone("mappings");
	return f->nr++;
}

static size_t find(struct files *f, const struct mapping *m)
{
	size_t at;

	if (f->each)
		return new_file(f, m);
	/* Neighbouring mappings usually belong to one file. */
	if (f->nr_maps && is_same(&f->of[f->of_map[f->nr_maps - 1]], m))
		return f->of_map[f->nr_maps - 1];
	if (2 * (f->nr + 1) > f->mask)
		grow_table(f);
	at = hash_of(name_of(m), m->inode) & f->mask;
	while (f->slots[at] && !is_same(&f->of[f->slots[at] - 1], m))
		at = (at + 1) & f->mask;
	if (!f->slots[at])
		f->slots[at] = new_file(f, m) + 1;
	return f->slots[at] - 1;
}

static void add(struct file *f, const struct mapping *m)
{
	f->nr_maps++;
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

void files_begin(struct files *f, bool each)
{
	*f = (struct files) { .each = each };
}

void files_add(struct files *f, const struct mapping *m)
{
	size_t file = find(f, m);

	f->of_map = memory_one_more(f->of_map, f->nr_maps, sizeof(*f->of_map), "mappings");
	f->of_map[f->nr_maps++] = file;
	add(&f->of[file], m);
}

struct place {
	struct file file;
	size_t was; /* index before sorting */
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

/* Sorts by RSS and then by size, the largest first, and updates of_map. */
static void order(struct files *f)
{
	struct place *places = calloc(f->nr + 1, sizeof(*places));
	size_t *now = calloc(f->nr + 1, sizeof(*now));

	if (!places || !now)
		memory_gone("mappings");
	for (size_t i = 0; i < f->nr; i++)
		places[i] = (struct place) { f->of[i], i };
	qsort(places, f->nr, sizeof(*places), by_size);
	for (size_t i = 0; i < f->nr; i++) {
		f->of[i] = places[i].file;
		now[places[i].was] = i;
	}
	for (size_t i = 0; i < f->nr_maps; i++)
		f->of_map[i] = now[f->of_map[i]];
	free(places);
	free(now);
}

void files_end(struct files *f)
{
	free(f->slots);
	f->slots = NULL;
	order(f);
}

void files_make(struct files *f, const struct snapshot *s, bool each)
{
	files_begin(f, each);
	for (size_t i = 0; i < s->nr_maps; i++)
		files_add(f, &s->maps[i]);
	files_end(f);
}

void files_name(struct files *f, pid_t pid)
{
	for (size_t i = 0; i < f->nr; i++)
		name_of_mapping(f->of[i].name, pid, f->of[i].start, f->of[i].end);
}

void files_free(struct files *f)
{
	for (size_t i = 0; i < f->nr; i++)
		free(f->of[i].name);
	free(f->of);
	free(f->of_map);
	free(f->slots);
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
