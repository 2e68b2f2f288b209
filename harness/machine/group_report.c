// SPDX-License-Identifier: MIT
/* Prints the memory of a cgroup as text and as JSON. */
#include "base/print/fit.h"
#include "base/print/json.h"
#include "base/print/prose.h"
#include "base/print/words.h"
#include "group.h"

static const struct {
	const char *name, *words;
} parts[GROUP_PARTS] = {
	[GROUP_ANON] = { "anon", "anonymous memory" },
	[GROUP_ANON_UNMAPPED] = { "anon_unmapped", "anonymous memory and swap cache, not mapped" },
	[GROUP_CACHE_MAPPED] = { "cache_mapped", "page cache of files, mapped" },
	[GROUP_CACHE_UNMAPPED] = { "cache_unmapped", "page cache of files, not mapped" },
	[GROUP_SHMEM_MAPPED] = { "shmem_mapped", "shared memory and tmpfs, mapped" },
	[GROUP_SHMEM_UNMAPPED] = { "shmem_unmapped", "shared memory and tmpfs, not mapped" },
	[GROUP_PGTABLE] = { "page_tables", "page tables" },
	[GROUP_STACKS] = { "kernel_stacks", "kernel stacks of threads" },
	[GROUP_VMALLOC] = { "vmalloc", "vmalloc" },
	[GROUP_SLAB] = { "slab", "slab objects" },
	[GROUP_PERCPU] = { "percpu", "per-CPU memory" },
	[GROUP_SOCK] = { "sock", "socket buffers" },
	[GROUP_HUGETLB] = { "hugetlb", "hugetlb pages" },
	[GROUP_OTHER] = { "other", "other kernel pages: pipes, rings" },
	[GROUP_STOCK] = { "stock", "charged in advance for CPUs" },
};

const char *group_part_name(enum group_part p)
{
	return parts[p].name;
}

/*
 * v1 has one number for all kernel memory. Some kernels do not count page tables of upper levels.
 * Only the frames show which pages of files are mapped.
 */
const char *group_part_words(const struct memory_group *g, enum group_part p)
{
	if (p == GROUP_OTHER && g->upper_tables)
		return g->v1 ? "other kernel pages: stacks of threads, pipes, rings, upper page tables"
			     : "other kernel pages: pipes, rings, upper page tables";
	if (p == GROUP_OTHER && g->v1)
		return "other kernel pages: stacks of threads, pipes, rings";
	if (!g->frames && p == GROUP_CACHE_UNMAPPED)
		return "page cache of files, mapped or not";
	if (!g->frames && p == GROUP_SHMEM_UNMAPPED)
		return "shared memory and tmpfs, mapped or not";
	if (!g->frames && g->v1 && p == GROUP_SLAB)
		return "kernel memory: page tables, stacks of threads, slab objects, buffers";
	return parts[p].words;
}

enum { FILES_SHOWN = 5 };

const char *group_usage_file(const struct memory_group *g)
{
	return g->v1 ? "memory.usage_in_bytes" : "memory.current";
}

static void put_limits(const struct memory_group *g, struct prose *p)
{
	char n[2][32];

	prose_text(p, 0, "%s is %s kB%s%s%s%s.", group_usage_file(g),
		   number_words(g->current, n[0], sizeof(n[0])),
		   g->limit < 0 ? ", without a limit of its own" : " of ",
		   g->limit < 0 ? "" : number_words(g->limit, n[1], sizeof(n[1])),
		   g->limit < 0 ? "" : " kB",
		   g->limit_of_both ? ", the limit of memory and swap together" : "");
	if (g->above[0])
		prose_text(p, 0, "A cgroup above it, %s, uses %s kB of its limit, %s kB.", g->above,
			   number_words(g->above_current, n[0], sizeof(n[0])),
			   number_words(g->above_limit, n[1], sizeof(n[1])));
}

static void put_reclaim(const struct memory_group *g, struct prose *p)
{
	const int64_t *part = g->part;
	int64_t cache = part[GROUP_CACHE_MAPPED] + part[GROUP_CACHE_UNMAPPED],
		pinned = part[GROUP_ANON] + part[GROUP_ANON_UNMAPPED] + part[GROUP_SHMEM_MAPPED] +
			 part[GROUP_SHMEM_UNMAPPED];
	char n[32], dirty[96] = "", of_files[200] = "", of_swap[200] = "";

	if (g->dirty > 0)
		snprintf(dirty, sizeof(dirty), " (%s kB only after it is written to disk)",
			 number_words(g->dirty, n, sizeof(n)));
	if (cache > 0)
		snprintf(of_files, sizeof(of_files),
			 "%s up to %s kB of page cache can be reclaimed%s. ",
			 g->above[0]    ? "At that limit"
			 : g->limit < 0 ? "When the machine is short of memory,"
					: "At the limit",
			 number_words(cache, n, sizeof(n)), dirty);
	if (pinned > 0)
		snprintf(of_swap, sizeof(of_swap),
			 "Anonymous and shared memory (%s kB) can only go to swap%s.",
			 number_words(pinned, n, sizeof(n)),
			 g->machine_swap == 0 ? ", but the machine has no swap"
			 : g->swap_limit == 0 ? ", but this cgroup may not use swap"
					      : "");
	if (cache > 0 || pinned > 0)
		prose_text(p, 0, "%s%s", of_files, of_swap);
	if (g->unevictable > 0)
		prose_text(
			p, 0,
			"But %s kB are unevictable (locked in memory, or of a ramfs or memfd_secret) and stay.",
			number_words(g->unevictable, n, sizeof(n)));
	if (g->above[0])
		prose_text(p, 0, "If that is not enough, the OOM killer ends a process of %s.",
			   g->above);
	else if (g->limit >= 0 && g->nr_processes)
		prose_text(p, 0,
			   "If that is not enough, the OOM killer ends one of its processes.");
}

/* True if the Pss is larger than all charged memory that may be mapped. */
static bool pss_has_others(const struct memory_group *g)
{
	const int64_t *part = g->part;

	return g->frames && !memory_group_is_blurred(g) &&
	       g->all.pss > part[GROUP_ANON] + part[GROUP_CACHE_MAPPED] + part[GROUP_SHMEM_MAPPED] +
				    part[GROUP_OTHER];
}

static void put_pss(const struct memory_group *g, struct prose *p)
{
	char n[2][32], of[80] = "the processes";

	if (g->unread)
		snprintf(of, sizeof(of), "%zu of its %zu processes", g->nr_processes - g->unread,
			 g->nr_processes);
	if (!g->nr_processes)
		prose_text(p, 0, "It has no processes.");
	else if (g->unread < g->nr_processes)
		prose_text(p, 0,
			   "The Pss of %s is %s kB. It %s pages that are charged to other "
			   "cgroups, but no unmapped memory and no kernel memory.",
			   of, number_words(g->all.pss, n[0], sizeof(n[0])),
			   pss_has_others(g) ? "includes" : "may include");
	if (g->unread)
		prose_text(p, 0,
			   "The Pss of %s process%s could not be read, because only root and the "
			   "user of a process may read it.",
			   number_words((int64_t)g->unread, n[1], sizeof(n[1])),
			   g->unread == 1 ? "" : "es");
}

static void put_answer(const struct memory_group *g, const struct fitted *f)
{
	struct prose p = prose_to(f->out);
	char n[2][32];

	p.out = f->to;
	put_limits(g, &p);
	put_reclaim(g, &p);
	if (g->inactive_file > 0)
		prose_text(
			&p, 0,
			"docker stats and kubectl top show %s kB, which is %s without inactive_file (%s "
			"kB).",
			number_words(memory_group_working_set(g), n[0], sizeof(n[0])),
			group_usage_file(g), number_words(g->inactive_file, n[1], sizeof(n[1])));
	else
		prose_text(&p, 0, "docker stats and kubectl top also show %s kB.",
			   number_words(g->current, n[0], sizeof(n[0])));
	put_pss(g, &p);
	if (g->oom_kills > 0)
		prose_text(&p, 0, "The OOM killer has ended %s of its processes.",
			   number_words(g->oom_kills, n[0], sizeof(n[0])));
	putc('\n', f->to);
}

static void put_stock(const struct memory_group *g, FILE *out)
{
	int64_t kb = g->part[GROUP_STOCK];
	char n[2][32];

	if (memory_group_is_blurred(g)) {
		fprintf(out, "  %14s  changed while the parts were read: %s was between %s and ",
			number_words(kb, n[0], sizeof(n[0])), group_usage_file(g),
			number_words(g->current_least, n[1], sizeof(n[1])));
		fprintf(out, "%s kB\n", number_words(g->current_most, n[0], sizeof(n[0])));
		return;
	}
	if (kb < 0) {
		fprintf(out,
			"  %14s  counted too much: memory is in two of these parts, or a part is out of date\n",
			number_words(kb, n[0], sizeof(n[0])));
		return;
	}
	fprintf(out, "  %14s  %s (at most %s)%s\n", number_words(kb, n[0], sizeof(n[0])),
		parts[GROUP_STOCK].words, number_words(g->stock, n[1], sizeof(n[1])),
		kb <= g->stock ? ""
		: g->frames    ? ", so a part is unexplained"
			       : ", or in no line of memory.stat");
}

static void put_parts(const struct memory_group *g, FILE *out)
{
	char n[2][32];

	fprintf(out, "  %14s  %s\n", "kB", g->folder);
	for (int p = 0; p < GROUP_PARTS; p++)
		if (g->part[p] && p != GROUP_STOCK)
			fprintf(out, "  %14s  %s\n", number_words(g->part[p], n[0], sizeof(n[0])),
				group_part_words(g, p));
	put_stock(g, out);
	fprintf(out, "  %14s  %s, of %zu cgroup%s", number_words(g->current, n[0], sizeof(n[0])),
		group_usage_file(g), g->nr, g->nr == 1 ? "" : "s");
	if (g->dying > 0)
		fprintf(out, " and %s removed cgroups that still have memory",
			number_words(g->dying, n[0], sizeof(n[0])));
	putc('\n', out);
	if (!g->frames)
		fputs("\nThese numbers are from memory.stat, because only root can see page frames.\n",
		      out);
}

static void put_lines(const struct memory_group *g, FILE *out)
{
	char n[3][32];

	if (!g->frames)
		return;
	fprintf(out, "\n  %-22s %14s %14s %12s\n", "memory.stat", "says", "frames", "may be late");
	for (int i = 0; i < GROUP_LINES; i++) {
		const struct group_line *l = &g->line[i];

		if (l->have)
			fprintf(out, "  %-22s %14s %14s %12s%s\n", l->name,
				number_words(l->says, n[0], sizeof(n[0])),
				number_words(l->frames, n[1], sizeof(n[1])),
				number_words(l->late, n[2], sizeof(n[2])),
				abs(l->off) >= 3 ? "  wrong"
				: l->moved       ? "  moved while it was read"
						 : "");
	}
}

static void put_process(const struct group_process *p, const char *name, FILE *out)
{
	char n[4][32];

	fprintf(out, "  %14s %14s %14s %14s  ",
		p->unread ? "?" : number_words(p->unique, n[0], sizeof(n[0])),
		p->unread ? "?" : number_words(p->pss, n[1], sizeof(n[1])),
		number_words(p->rss, n[2], sizeof(n[2])),
		number_words(p->swap, n[3], sizeof(n[3])));
	line_put(name, out);
	if (p->pid)
		fprintf(out, " (%d)", (int)p->pid);
	putc('\n', out);
}

/*
 * The sizes are from cachestat(2), because page frames do not show which file they belong to.
 * cached_pages() calls it only for files on block devices.
 */
static void put_files(const struct memory_group *g, FILE *out)
{
	const struct held_list *l = &g->holders.of[HELD_CACHE];
	int64_t charged = g->part[GROUP_CACHE_MAPPED] + g->part[GROUP_CACHE_UNMAPPED];
	char n[2][32];

	if (!l->nr)
		return;
	fprintf(out,
		"\n  %14s  of page cache belongs to the %s file%s on block devices that %s have open "
		"or mapped; %s\n",
		number_words(l->all, n[0], sizeof(n[0])),
		number_words((int64_t)l->nr, n[1], sizeof(n[1])), l->nr == 1 ? "" : "s",
		g->unread ? "those of its processes that could be read" : "its processes",
		l->all > 2 * charged ? "most of it is charged to other cgroups"
				     : "other cgroups may be charged for some of it");
	held_put(l, FILES_SHOWN, out);
}

int memory_group_text(const struct memory_group *g, FILE *out)
{
	size_t shown = g->nr_processes < GROUP_PROCESSES ? g->nr_processes : GROUP_PROCESSES;
	struct group_process sum = g->all;
	char all[64];
	struct fitted f;

	sum.unread = g->unread;

	fitted_begin(&f, out);
	put_answer(g, &f);
	put_parts(g, f.to);
	put_lines(g, f.to);
	if (shown)
		fprintf(f.to, "\n  %14s %14s %14s %14s  process\n", "unique", "Pss", "Rss", "Swap");
	for (size_t i = 0; i < shown; i++)
		put_process(&g->of[i], g->of[i].name, f.to);
	snprintf(all, sizeof(all), "all %zu", g->nr_processes);
	if (g->nr_processes > 1)
		put_process(&sum, all, f.to);
	put_files(g, f.to);
	if (g->was_killed)
		oom_text(&g->oom, f.to, prose_to(out).width);
	return fitted_end(&f) || stream_end(out) ? -1 : 0;
}

static void set_known(json_t *j, const char *name, int64_t n, bool known)
{
	if (known)
		json_set_number(j, name, n);
	else
		json_object_set_new(j, name, json_null());
}

static json_t *processes_json(const struct memory_group *g)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->nr_processes && i < GROUP_PROCESSES; i++) {
		const struct group_process *p = &g->of[i];
		json_t *j = json_row(list);

		json_set_number(j, "pid", p->pid);
		json_set_words(j, "name", p->name);
		set_known(j, "unique_kB", p->unique, !p->unread);
		set_known(j, "pss_kB", p->pss, !p->unread);
		json_set_number(j, "rss_kB", p->rss);
		json_set_number(j, "swap_kB", p->swap);
	}
	return list;
}

static json_t *lines_json(const struct memory_group *g)
{
	json_t *list = json_array();

	for (int i = 0; i < GROUP_LINES; i++) {
		const struct group_line *l = &g->line[i];
		json_t *j;

		if (!l->have)
			continue;
		j = json_row(list);
		json_set_words(j, "line", l->name);
		json_set_number(j, "says_kB", l->says);
		json_set_number(j, "frames_kB", l->frames);
		json_set_number(j, "may_be_late_kB", l->late);
		json_object_set_new(j, "wrong", json_boolean(abs(l->off) >= 3));
		json_object_set_new(j, "moved", json_boolean(l->moved));
	}
	return list;
}

json_t *memory_group_json(const struct memory_group *g)
{
	json_t *root = json_object(), *tree = json_object();

	json_set_words(root, "path", g->folder);
	json_object_set_new(root, "v1", json_boolean(g->v1));
	json_set_number(root, "cgroups", (int64_t)g->nr);
	json_set_number(root, "current_kB", g->current);
	json_set_number(root, "current_least_kB", g->current_least);
	json_set_number(root, "current_most_kB", g->current_most);
	json_object_set_new(root, "moved", json_boolean(memory_group_is_blurred(g)));
	json_set_number(root, "limit_kB", g->limit);
	json_set_number(root, "working_set_kB", memory_group_working_set(g));
	json_set_number(root, "stock_most_kB", g->stock);
	json_object_set_new(root, "saw_page_frames", json_boolean(g->frames));
	for (int p = 0; p < GROUP_PARTS; p++)
		json_set_number(tree, parts[p].name, g->part[p]);
	json_object_set_new(root, "tree", tree);
	json_object_set_new(root, "lines", lines_json(g));
	json_set_number(root, "nr_processes", (int64_t)g->nr_processes);
	json_set_number(root, "unread_processes", (int64_t)g->unread);
	json_object_set_new(root, "processes", processes_json(g));
	json_object_set_new(root, "files", held_json(&g->holders.of[HELD_CACHE], HELD_MOST));
	if (g->was_killed)
		json_object_set_new(root, "oom", oom_json(&g->oom));
	return root;
}
