// SPDX-License-Identifier: MIT
/* Computes which parts of a cgroup's memory.current would be freed if its processes ended. */
#include "remains.h"
#include "base/number.h"
#include "base/print/fit.h"
#include "base/print/json.h"
#include "base/print/prose.h"
#include "base/print/words.h"
#include "ending.h"
#include <stdlib.h>
#include <unistd.h>

static int64_t not_negative(int64_t n)
{
	return n > 0 ? n : 0;
}

/* What happens to each part that is not certainly freed. */
static const enum remains_fate rest[GROUP_PARTS] = {
	/* freed meanwhile, or charged by processes that moved away */
	[GROUP_ANON] = REMAINS_UNKNOWN,         [GROUP_ANON_UNMAPPED] = REMAINS_UNKNOWN,
	[GROUP_CACHE_MAPPED] = REMAINS_KEPT,    [GROUP_CACHE_UNMAPPED] = REMAINS_KEPT,
	[GROUP_SHMEM_MAPPED] = REMAINS_UNKNOWN, [GROUP_SHMEM_UNMAPPED] = REMAINS_UNKNOWN,
	[GROUP_PGTABLE] = REMAINS_UNKNOWN,      [GROUP_STACKS] = REMAINS_UNKNOWN,
	[GROUP_VMALLOC] = REMAINS_UNKNOWN,      [GROUP_SLAB] = REMAINS_UNKNOWN,
	[GROUP_PERCPU] = REMAINS_UNKNOWN,       [GROUP_SOCK] = REMAINS_UNKNOWN,
	[GROUP_HUGETLB] = REMAINS_UNKNOWN,      [GROUP_OTHER] = REMAINS_UNKNOWN,
	[GROUP_STOCK] = REMAINS_UNKNOWN,
};

/*
 * Divides the parts into freed, unknown and kept memory. CPUs may have charged pages in advance
 * (GROUP_STOCK). Afterwards they may have charged anything from 0 to g->stock kB.
 */
void remains_divide(struct remains *r, const struct memory_group *g)
{
	int64_t unknown = 0, kept = 0;

	for (int p = 0; p < GROUP_PARTS; p++) {
		int64_t *freed = &r->of[REMAINS_FREED][p], left;
		enum remains_fate fate = rest[p];

		if (p == GROUP_STOCK)
			continue;
		*freed = lesser(*freed, not_negative(g->part[p]));
		left = not_negative(g->part[p]) - *freed;
		if (p == GROUP_ANON) {
			r->of[REMAINS_KEPT][p] = lesser(r->of[REMAINS_KEPT][p], left);
			left -= r->of[REMAINS_KEPT][p];
		}
		r->of[fate][p] = left;
		unknown += r->of[REMAINS_UNKNOWN][p];
		kept += r->of[REMAINS_KEPT][p];
	}
	r->deleted = lesser(r->deleted, r->of[REMAINS_KEPT][GROUP_CACHE_MAPPED] +
						r->of[REMAINS_KEPT][GROUP_CACHE_UNMAPPED]);
	r->least = kept - r->deleted;
	r->most = kept + unknown +
		  (g->part[GROUP_STOCK] > g->stock ? g->part[GROUP_STOCK] : g->stock);
}

/* Sets what is freed. Anonymous memory and shmem that are charged to other cgroups are left out. */
static void set_freed(struct remains *r, const struct ending *e)
{
	int64_t *freed = r->of[REMAINS_FREED];

	freed[GROUP_ANON] = e->anon_charged;
	r->of[REMAINS_KEPT][GROUP_ANON] = e->anon_kept;
	freed[GROUP_SHMEM_MAPPED] = e->shmem_charged;
	freed[GROUP_SHMEM_UNMAPPED] = e->unmapped_charged;
	freed[GROUP_PGTABLE] = e->tables;
	freed[GROUP_STACKS] = e->stacks;
	r->deleted = e->objects.deleted;
	r->nr = e->nr;
}

static pid_t *others(struct remains *r, const struct memory_group *g, size_t *nr)
{
	pid_t *pids = calloc(g->nr_processes + 1, sizeof(*pids));

	*nr = 0;
	for (size_t i = 0; pids && i < g->nr_processes; i++) {
		if (g->pids[i] != getpid())
			pids[(*nr)++] = g->pids[i];
		else
			r->ours = true;
	}
	return pids;
}

/* True if memory.current is now more than g->stock kB outside the range of its earlier readings. */
static bool has_moved(const struct memory_group *g, struct machine_reader *m)
{
	int64_t now = memory_group_current(g, &m->text);

	return now < g->current_least - g->stock || now > g->current_most + g->stock;
}

int remains_read(struct remains *r, const struct memory_group *g, struct machine_reader *m,
		 char *why, size_t size)
{
	struct cgroup_set charged = { .groups = m->frames.groups,
				      .inodes = g->inodes,
				      .nr = g->nr };
	struct ending e;
	pid_t *pids;
	int error;
	size_t nr;

	*r = (struct remains) { .nr = 0 };
	if (!g->frames || charged.groups < 0 || !g->nr_processes)
		return 1;
	r->nr = g->nr_processes;
	r->moves = memory_group_is_blurred(g);
	if (r->moves)
		return 0;
	pids = others(r, g, &nr);
	if (!pids) {
		snprintf(why, size, "out of memory");
		return -1;
	}
	error = nr ? ending_read_charged(&e, pids, nr, m->host, &charged, why, size) : 1;
	free(pids);
	if (error)
		return error;
	r->moves = has_moved(g, m);
	set_freed(r, &e);
	remains_divide(r, g);
	ending_free(&e);
	return 0;
}

static void put_line(const struct remains *r, const struct memory_group *g, enum remains_fate fate,
		     const char *words, FILE *out)
{
	int64_t sum = 0;
	char n[32];

	for (int p = 0; p < GROUP_PARTS; p++)
		sum += r->of[fate][p];
	if (!sum)
		return;
	fprintf(out, "  %14s  %s", number_words(sum, n, sizeof(n)), words);
	for (int p = 0, first = 1; p < GROUP_PARTS; p++) {
		if (!r->of[fate][p])
			continue;
		fprintf(out, "%s %s", first ? ":" : ",", group_part_words(g, p));
		fprintf(out, " %s", number_words(r->of[fate][p], n, sizeof(n)));
		first = 0;
	}
	putc('\n', out);
}

void remains_print(const struct remains *r, const struct memory_group *g, FILE *out)
{
	struct fitted f;
	struct prose p = prose_to(out);
	char n[3][32], who[64] = "its one process";

	if (r->nr != 1)
		snprintf(who, sizeof(who), "its %zu processes", r->nr);
	fitted_begin(&f, out);
	p.out = f.to;
	putc('\n', f.to);
	if (r->moves) {
		prose_text(
			&p, 0,
			"What would remain if %s ended now cannot be predicted, because %s changed "
			"during the reading by more than CPUs may charge in advance.",
			who, group_usage_file(g));
		fitted_end(&f);
		return;
	}
	prose_text(&p, 0, "If %s ended now, %s would change from %s kB to between %s and %s kB.",
		   who, group_usage_file(g), number_words(g->current, n[0], sizeof(n[0])),
		   number_words(r->least, n[1], sizeof(n[1])),
		   number_words(r->most, n[2], sizeof(n[2])));
	put_line(r, g, REMAINS_FREED, "is freed", f.to);
	put_line(r, g, REMAINS_UNKNOWN, "may be freed", f.to);
	put_line(r, g, REMAINS_KEPT, r->deleted ? "stays, except for deleted files" : "stays",
		 f.to);
	fprintf(f.to, "  %14s  is the most that CPUs may have charged in advance\n",
		number_words(g->stock, n[0], sizeof(n[0])));
	prose_text(&p, 0, "%s does not say which %s belong to processes%s.%s",
		   g->v1 ? "cgroup v1" : "memory.stat",
		   g->v1 ? "kernel stacks, slab objects and buffers"
			 : "slab objects, sockets and buffers",
		   g->v1 ? ", and has one number for all of them" : "",
		   r->ours ? " rssck itself is in this cgroup." : "");
	if (r->deleted)
		prose_text(
			&p, 0,
			"At most %s kB of the page cache belong to deleted files that these processes "
			"have open, and may be freed, too.",
			number_words(r->deleted, n[0], sizeof(n[0])));
	fitted_end(&f);
}

json_t *remains_json(const struct remains *r)
{
	static const char *const names[REMAINS_FATES] = {
		[REMAINS_FREED] = "freed_kB",
		[REMAINS_UNKNOWN] = "may_be_freed_kB",
		[REMAINS_KEPT] = "stays_kB",
	};
	json_t *root = json_object();

	json_set_number(root, "processes", (int64_t)r->nr);
	json_set_number(root, "current_least_kB", r->least);
	json_set_number(root, "current_most_kB", r->most);
	for (int f = 0; f < REMAINS_FATES; f++) {
		json_t *j = json_object();

		for (int p = 0; p < GROUP_PARTS; p++)
			if (r->of[f][p])
				json_set_number(j, group_part_name(p), r->of[f][p]);
		json_object_set_new(root, names[f], j);
	}
	json_set_number(root, "deleted_files_kB", r->deleted);
	return root;
}
