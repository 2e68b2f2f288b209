// SPDX-License-Identifier: MIT
#include "grids.h"
#include "base/print/words.h"
#include "runs/release.h"
#include <stdlib.h>
#include <string.h>

#define BIT(column) (1U << GRID_##column)

static const struct grid_number numbers[] = {
	{ "VmSize", BIT(SIZE) },
	{ "VmRSS", BIT(ANON) | BIT(FILE) | BIT(SHMEM) },
	{ "RssAnon", BIT(ANON) },
	{ "RssFile", BIT(FILE) },
	{ "RssShmem", BIT(SHMEM) },
	{ "HugetlbPages", BIT(HUGETLB) },
	{ "Pss", BIT(PSS) },
	{ "VmSwap", BIT(VMSWAP) },
	{ "smaps.Swap", BIT(SWAP) },
	{ "VmLck", BIT(VMLCK) },
	{ "dirty", BIT(DIRTY) },
	{ "soft-dirty", BIT(SOFT) },
	{ "LazyFree", BIT(LAZYFREE) },
	{ "VmPTE", BIT(TABLES) },
	{ "memory.stat", BIT(CGROUP) },
	{ "memory.swap.current", BIT(CGROUP_SWAP) },
};

enum { NUMBERS = sizeof(numbers) / sizeof(*numbers) };

const struct grid_number *grid_numbers(size_t *nr)
{
	*nr = NUMBERS;
	return numbers;
}

int64_t grid_value(const struct grid_number *n, const struct grid_cell *c)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < GRID_COLUMNS; i++)
		sum += n->columns >> i & 1 ? c->of[i] : 0;
	return sum;
}

static int by_release(const void *a, const void *b)
{
	const struct grid *x = a, *y = b;

	return release_compare(x->release, y->release);
}

static int name_kernels(struct grids *g)
{
	struct results *named = calloc(g->nr, sizeof(*named));

	for (size_t i = 0; named && i < g->nr; i++) {
		snprintf(named[i].kernel_release, sizeof(named[i].kernel_release), "%s",
			 g->of[i].release);
		snprintf(named[i].machine, sizeof(named[i].machine), "%s", g->of[i].machine);
	}
	g->kernels = (struct kernels) { named, g->nr };
	return named ? 0 : -1;
}

int grids_load(struct grids *g, char *const *paths, size_t nr, char *why, size_t size)
{
	*g = (struct grids) { .of = calloc(nr + 1, sizeof(*g->of)) };
	if (nr > GRIDS_MAX || !g->of) {
		snprintf(why, size, "%zu records are too many", nr);
		return -1;
	}
	for (; g->nr < nr; g->nr++)
		if (grid_load(&g->of[g->nr], paths[g->nr], why, size) < 0)
			return -1;
	qsort(g->of, g->nr, sizeof(*g->of), by_release);
	if (!name_kernels(g))
		return 0;
	snprintf(why, size, "out of memory");
	return -1;
}

void grids_free(struct grids *g)
{
	free((void *)(uintptr_t)g->kernels.of);
	free(g->of);
	*g = (struct grids) { .nr = 0 };
}

const struct grid *grids_newest(const struct grids *g)
{
	return g->nr ? &g->of[g->nr - 1] : NULL;
}

static unsigned find(const char (*names)[GRID_NAME], unsigned nr, const char *name)
{
	unsigned i = 0;

	while (i < nr && strcmp(names[i], name) != 0)
		i++;
	return i;
}

struct grid_effect grid_effect(const struct grid *g, const char *kind, const char *act)
{
	unsigned k = find(g->kinds, g->nr_kinds, kind), a = find(g->acts, g->nr_acts, act);

	if (k == g->nr_kinds || a == g->nr_acts || !g->before[k].known || !g->after[k][a].known)
		return (struct grid_effect) { NULL, NULL };
	return (struct grid_effect) { &g->before[k], &g->after[k][a] };
}

static int64_t moved(const struct grid_effect *e, unsigned column)
{
	return e->after->of[column] - e->before->of[column];
}

const char *grid_error_name(const struct grid_effect *e, char *buf, size_t size)
{
	const char *name = strerrorname_np((int)e->after->of[GRID_ERRNO]);

	snprintf(buf, size, "%s", name ? name : "error");
	return buf;
}

const char *grid_effect_words(const struct grid_effect *e, char buf[EFFECT_WORDS])
{
	FILE *out = fmemopen(buf, EFFECT_WORDS, "w");
	const char *between = "";
	char words[32];

	buf[0] = '\0';
	if (!out)
		return buf;
	if (e->after->of[GRID_ERRNO]) {
		fprintf(out, "refused: %s", grid_error_name(e, words, sizeof(words)));
		between = "; ";
	}
	if (e->after->of[GRID_SIGNALS]) {
		fprintf(out, "%sno access to %lld page%s", between,
			(long long)e->after->of[GRID_SIGNALS],
			e->after->of[GRID_SIGNALS] == 1 ? "" : "s");
		between = "; ";
	}
	for (size_t i = 0; i < NUMBERS; i++) {
		int64_t by = grid_value(&numbers[i], e->after) - grid_value(&numbers[i], e->before);

		if (!by)
			continue;
		fprintf(out, "%s%s %s kB", between, numbers[i].name,
			difference_words(by, words, sizeof(words)));
		between = ", ";
	}
	if (!*between)
		fputs("nothing moves", out);
	fclose(out);
	buf[EFFECT_WORDS - 1] = '\0';
	return buf;
}

/* Compares only the columns that both records have. */
static bool is_same(const struct grid_effect *a, const struct grid_effect *b, unsigned columns)
{
	for (unsigned i = GRID_SIGNALS; i < GRID_COLUMNS; i++)
		if (columns >> i & 1 && moved(a, i) != moved(b, i))
			return false;
	return a->after->of[GRID_ERRNO] == b->after->of[GRID_ERRNO];
}

unsigned grids_group(const struct grids *g, const char *kind, const char *act,
		     unsigned group[GRIDS_MAX])
{
	struct grid_effect e[GRIDS_MAX];
	unsigned nr = 0;

	for (size_t i = 0; i < g->nr; i++) {
		e[i] = grid_effect(&g->of[i], kind, act);
		group[i] = 0;
		for (size_t k = 0; e[i].after && k < i && !group[i]; k++)
			if (group[k] && is_same(&e[k], &e[i], g->of[k].columns & g->of[i].columns))
				group[i] = group[k];
		if (e[i].after && !group[i])
			group[i] = ++nr;
	}
	return nr;
}

struct grid_effect grids_of_group(const struct grids *g, const char *kind, const char *act,
				  const unsigned group[GRIDS_MAX], unsigned which, char *kernels,
				  size_t size)
{
	struct grid_effect e = { NULL, NULL };
	bool set[GRIDS_MAX];
	size_t shown = 0;

	for (size_t i = 0; i < g->nr; i++) {
		set[i] = group[i] == which;
		if (!set[i] || (e.after && g->of[i].columns <= g->of[shown].columns))
			continue;
		e = grid_effect(&g->of[i], kind, act);
		shown = i;
	}
	kernels_words(&g->kernels, set, kernels, size);
	return e;
}
