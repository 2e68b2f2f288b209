// SPDX-License-Identifier: MIT
/* Processes and trials that no kernel has run. */
#include "made_trial.h"
#include <stdlib.h>
#include <string.h>

/* The kernel counts shares of a page in bytes with 12 fraction bits. */
enum { PSS_SHIFT = 12, KB_SHIFT = 10 + PSS_SHIFT };

static const struct made_mapping mappings[MADE_COUNT] = {
	[MADE_TEXT] = { "/usr/bin/made-up",
			"r-xp",
			"rd ex mr mw me",
			200,
			17,
			{ { ACCOUNT_FILE, 100, PAGE_REFERENCED, 2 }, { ACCOUNT_FILE, 60, 0, 1 } } },
	[MADE_DATA] = { "/usr/bin/made-up",
			"rw-p",
			"rd wr mr mw me ac",
			12,
			17,
			{ { ACCOUNT_FILE, 3, 0, 2 }, { ACCOUNT_ANON, 4, PAGE_DIRTY, 1 } } },
	[MADE_HEAP] = { "[heap]",
			"rw-p",
			"rd wr mr mw me ac",
			64,
			0,
			{ { ACCOUNT_ANON, 20, PAGE_DIRTY | PAGE_REFERENCED, 1 } } },
	[MADE_LIBRARY] = { "/usr/lib/libmade.so",
			   "r-xp",
			   "rd ex mr mw me",
			   300,
			   20,
			   { { ACCOUNT_FILE, 50, 0, 4 }, { ACCOUNT_FILE, 7, 0, 3 } } },
	[MADE_STACK] = { "[stack]",
			 "rw-p",
			 "rd wr mr mw me gd ac",
			 33,
			 0,
			 { { ACCOUNT_ANON, 10, PAGE_DIRTY, 1 } } },
	[MADE_VVAR] = { "[vvar]",
			"r--p",
			"rd mr pf io de dd",
			4,
			0,
			{ { ACCOUNT_SPECIAL, 2, 0, 0 } } },
	[MADE_VDSO] = { "[vdso]",
			"r-xp",
			"rd ex mr mw me de",
			2,
			0,
			{ { ACCOUNT_FILE, 1, 0, 100 } } },
	[MADE_GATE] = { "[vsyscall]", "--xp", "ex", 1, 0, { { 0 } } },
	[MADE_ANON] = { "",
			"rw-p",
			"rd wr mr mw me ac uw",
			200,
			0,
			{ { ACCOUNT_ANON, 40, PAGE_DIRTY, 1 },
			  { ACCOUNT_ANON, 8, PAGE_DIRTY, 2 },
			  { ACCOUNT_ANON, 2, PAGE_LAZYFREE | PAGE_NOT_SWAPBACKED, 1 },
			  { ACCOUNT_GUARD, 3, 0, 0 },
			  { ACCOUNT_UFFD_WP, 7, 0, 0 },
			  { ACCOUNT_ANON, 4, PAGE_DIRTY | PAGE_KSM, 2 },
			  { ACCOUNT_ZERO, 6, 0, 0 },
			  { ACCOUNT_SWAP, 5, 0, 1 },
			  { ACCOUNT_SWAP, 4, 0, 2 } } },
	[MADE_FILE] = { "/var/tmp/made up (deleted)",
			"rw-s",
			"rd wr sh mr mw me ms",
			200,
			18,
			{ { ACCOUNT_FILE, 32, 0, 1 },
			  { ACCOUNT_FILE, 24, PAGE_DIRTY, 1 },
			  { ACCOUNT_FILE, 4, 0, 2 } } },
	[MADE_SHMEM] = { "/dev/zero (deleted)",
			 "rw-s",
			 "rd wr sh mr mw me ms",
			 200,
			 19,
			 { { ACCOUNT_SHMEM, 40, PAGE_DIRTY, 1 },
			   { ACCOUNT_SHMEM, 8, PAGE_DIRTY, 2 },
			   { ACCOUNT_SHMEM_SWAP, 3, 0, 0 } } },
	[MADE_LOCKED] = { "",
			  "rw-p",
			  "rd wr mr mw me lo ac",
			  16,
			  0,
			  { { ACCOUNT_ANON, 9, PAGE_DIRTY | PAGE_LOCKED, 1 },
			    { ACCOUNT_ANON, 4, PAGE_DIRTY | PAGE_LOCKED, 2 } } },
	[MADE_HUGE] = { "",
			"rw-p",
			"rd wr mr mw me ac hg",
			1024,
			0,
			{ { ACCOUNT_ANON, 512, PAGE_DIRTY | PAGE_HUGE, 1 } } },
	[MADE_HUGE_SHMEM] = { "/memfd:huge (deleted)",
			      "rw-s",
			      "rd wr sh mr mw me ms",
			      1024,
			      21,
			      { { ACCOUNT_SHMEM, 512, PAGE_DIRTY | PAGE_HUGE, 1 } } },
	[MADE_HUGE_FILE] = { "/var/tmp/huge",
			     "r--p",
			     "rd mr mw me",
			     1024,
			     22,
			     { { ACCOUNT_FILE, 512, PAGE_HUGE, 1 } } },
	[MADE_HUGETLB] = { "/anon_hugepage (deleted)",
			   "rw-s",
			   "rd wr sh mr mw me ms ht",
			   1024,
			   23,
			   { { ACCOUNT_HUGETLB, 512, 0, 1 }, { ACCOUNT_HUGETLB, 512, 0, 2 } } },
	[MADE_RESERVED] = { "", "---p", "mr mw me nr", 4096, 0, { { 0 } } },
};

struct made_process made_process(void)
{
	struct made_process p = { .nr = MADE_COUNT };

	memcpy(p.maps, mappings, sizeof(p.maps));
	return p;
}

struct made_process made_baseline(void)
{
	struct made_process p = made_process();

	p.nr = MADE_BACKGROUND;
	return p;
}

void made_put(struct made_process *p, enum made_name where, struct made_pages more)
{
	struct made_pages *g = p->maps[where].of;

	while (g->pages && (g->account != more.account || g->attributes != more.attributes ||
			    g->sharers != more.sharers))
		if (++g == p->maps[where].of + GROUPS_MAX)
			fail_msg("no room for another kind of page in mapping %d", where);
	more.pages += g->pages;
	*g = more;
	if (g->pages < 0)
		fail_msg("mapping %d has no such pages", where);
}

void made_grow(struct made_process *p, enum made_name where, int64_t pages)
{
	p->maps[where].pages += pages;
}

/* Sums in bytes, with 12 fraction bits. */
struct sums {
	int64_t of[SMAPS_FIELDS];
	int64_t pss_of[ACCOUNT_COUNT];
};

static void add(struct sums *s, enum metric_id id, int64_t amount)
{
	s->of[id - METRIC_SMAPS_FIRST] += amount;
}

static void add_resident(struct sums *s, const struct made_pages *g, int64_t whole, int64_t share)
{
	static const enum metric_id split[2][2] = {
		{ METRIC_SMAPS_PRIVATE_CLEAN, METRIC_SMAPS_PRIVATE_DIRTY },
		{ METRIC_SMAPS_SHARED_CLEAN, METRIC_SMAPS_SHARED_DIRTY },
	};
	static const enum metric_id huge[ACCOUNT_COUNT] = {
		[ACCOUNT_ANON] = METRIC_SMAPS_ANONHUGEPAGES,
		[ACCOUNT_FILE] = METRIC_SMAPS_FILEPMDMAPPED,
		[ACCOUNT_SHMEM] = METRIC_SMAPS_SHMEMPMDMAPPED,
	};
	bool dirty = g->attributes & PAGE_DIRTY;

	add(s, METRIC_SMAPS_RSS, whole);
	add(s, METRIC_SMAPS_PSS, share);
	s->pss_of[g->account] += share;
	add(s, split[g->sharers > 1][dirty], whole);
	if (dirty)
		add(s, METRIC_SMAPS_PSS_DIRTY, share);
	if (g->account == ACCOUNT_ANON)
		add(s, METRIC_SMAPS_ANONYMOUS, whole);
	if (g->attributes & PAGE_REFERENCED)
		add(s, METRIC_SMAPS_REFERENCED, whole);
	if (g->attributes & PAGE_KSM)
		add(s, METRIC_SMAPS_KSM, whole);
	if (g->attributes & PAGE_LAZYFREE)
		add(s, METRIC_SMAPS_LAZYFREE, whole);
	if (g->attributes & PAGE_HUGE)
		add(s, huge[g->account], whole);
	if (g->attributes & PAGE_LOCKED)
		add(s, METRIC_SMAPS_LOCKED, share);
}

static void add_pages(struct sums *s, const struct made_pages *g)
{
	int64_t one = (int64_t)PAGE_BYTES << PSS_SHIFT;
	int64_t whole = g->pages * one, share = g->pages * (one / (g->sharers ? g->sharers : 1));

	switch (g->account) {
	case ACCOUNT_ANON:
	case ACCOUNT_FILE:
	case ACCOUNT_SHMEM:
		add_resident(s, g, whole, share);
		break;
	case ACCOUNT_SWAP:
		add(s, METRIC_SMAPS_SWAP, whole);
		add(s, METRIC_SMAPS_SWAPPSS, share);
		break;
	case ACCOUNT_SHMEM_SWAP:
		add(s, METRIC_SMAPS_SWAP, whole);
		break;
	case ACCOUNT_HUGETLB:
		add(s, g->sharers > 1 ? METRIC_SMAPS_SHARED_HUGETLB : METRIC_SMAPS_PRIVATE_HUGETLB,
		    whole);
		break;
	default: /* the zero page and special mappings belong to no class */
		break;
	}
}

static void look_up_pages(struct mapping *m, const struct made_pages *g)
{
	int64_t *numa = m->numa, *frames = m->frames;
	bool reserved = !strncmp(m->name, "[v", 2);

	if (g->account == ACCOUNT_HUGETLB) {
		numa[METRIC_NUMA_HUGETLB - METRIC_NUMA_FIRST] += g->pages;
		frames[METRIC_FRAMES_HUGE - METRIC_FRAMES_FIRST] += g->pages;
	}
	if (!(ACCOUNT_BIT(g->account) & IN_RSS))
		return;
	frames[METRIC_FRAMES_MMAP - METRIC_FRAMES_FIRST] += g->pages;
	frames[(g->sharers > 1 ? METRIC_FRAMES_MORE : METRIC_FRAMES_ONCE) -
	       METRIC_FRAMES_ANON] += g->pages;
	if (g->account == ACCOUNT_ANON)
		frames[0] += g->pages;
	if (g->account != ACCOUNT_FILE && !(g->attributes & PAGE_NOT_SWAPBACKED))
		frames[METRIC_FRAMES_SWAPBACKED - METRIC_FRAMES_FIRST] += g->pages;
	if (g->attributes & PAGE_KSM)
		frames[METRIC_FRAMES_KSM - METRIC_FRAMES_FIRST] += g->pages;
	if (reserved)
		return;
	numa[0] += g->pages;
	numa[METRIC_NUMA_MAPPED - METRIC_NUMA_FIRST] += g->pages;
	if (g->account == ACCOUNT_ANON)
		numa[METRIC_NUMA_ANON - METRIC_NUMA_FIRST] += g->pages;
	if (g->attributes & PAGE_DIRTY)
		numa[METRIC_NUMA_DIRTY - METRIC_NUMA_FIRST] += g->pages;
}

static void mark_entries(struct mapping *m, const struct made_pages *g)
{
	if (g->account == ACCOUNT_GUARD) {
		m->pagemap.guards += g->pages;
		m->scan.guards += g->pages;
	} else {
		m->pagemap.uffd_wp += g->pages;
		m->scan.written -= g->pages;
	}
}

static void walk_pages(struct mapping *m, const struct made_pages *g)
{
	static const enum page_class classes[ACCOUNT_COUNT] = {
		[ACCOUNT_ANON] = CLASS_ANON,       [ACCOUNT_FILE] = CLASS_FILE,
		[ACCOUNT_SHMEM] = CLASS_SHMEM,     [ACCOUNT_ZERO] = CLASS_ZERO,
		[ACCOUNT_HUGETLB] = CLASS_HUGETLB, [ACCOUNT_SPECIAL] = CLASS_SPECIAL,
		[ACCOUNT_SWAP] = CLASS_SWAP,
	};
	bool resident = ACCOUNT_BIT(g->account) & IN_RSS;

	if (!g->pages || g->account == ACCOUNT_SHMEM_SWAP)
		return;
	if (g->account == ACCOUNT_GUARD || g->account == ACCOUNT_UFFD_WP)
		return mark_entries(m, g);
	look_up_pages(m, g);
	m->scan.written += g->pages;
	m->pagemap.of[classes[g->account]] += g->pages;
	if (g->account == ACCOUNT_HUGETLB && g->sharers < 2)
		m->pagemap.hugetlb_exclusive += g->pages;
	if (resident && g->sharers < 2)
		m->pagemap.exclusive += g->pages;
	if (g->account == ACCOUNT_SWAP)
		m->scan.swapped += g->pages;
	else
		m->scan.present += g->pages;
	if (g->account == ACCOUNT_HUGETLB && m->shared) {
		m->pagemap.hugetlb_file += g->pages;
		m->scan.file += g->pages;
	}
	if (g->account == ACCOUNT_FILE || g->account == ACCOUNT_SHMEM) {
		m->pagemap.file_bit += g->pages;
		m->scan.file += g->pages;
	}
	if (g->account == ACCOUNT_ZERO)
		m->scan.pfnzero += g->pages;
	if (resident && g->attributes & PAGE_HUGE)
		m->scan.huge += g->pages;
}

static void write_mapping(struct mapping *m, const struct made_mapping *made, size_t index,
			  struct sums *s)
{
	*m = (struct mapping) {
		.start = (uint64_t)(index + 1) << 32,
		.end = ((uint64_t)(index + 1) << 32) + (uint64_t)made->pages * PAGE_BYTES,
		.inode = made->inode,
		.readable = made->permissions[0] == 'r',
		.writable = made->permissions[1] == 'w',
		.executable = made->permissions[2] == 'x',
		.shared = made->permissions[3] == 's',
		.name = made->name,
		.flags = made->flags,
		.smaps_have = (1ULL << SMAPS_FIELDS) - 1,
		.pagemap = { .walked = true, .zero_known = true },
		.scan = { .scanned = true },
		.numa_read = true,
		.frames_read = true,
	};
	*s = (struct sums) { .of = { 0 } };
	add(s, METRIC_SMAPS_SIZE, (made->pages * PAGE_BYTES) << PSS_SHIFT);
	add(s, METRIC_SMAPS_KERNELPAGESIZE, PAGE_BYTES << PSS_SHIFT);
	add(s, METRIC_SMAPS_MMUPAGESIZE, PAGE_BYTES << PSS_SHIFT);
	for (int i = 0; i < GROUPS_MAX; i++) {
		add_pages(s, &made->of[i]);
		walk_pages(m, &made->of[i]);
	}
	for (int i = 0; i < SMAPS_FIELDS; i++)
		m->smaps[i] = s->of[i] >> KB_SHIFT;
}

static void set(struct values *v, enum metric_id id, int64_t value)
{
	v->of[id] = value;
	v->have[id] = true;
}

static void sum_up(struct values *v, const struct mapping *m)
{
	const struct page_counts *p = &m->pagemap;

	for (int i = 0; i < SMAPS_FIELDS; i++)
		v->of[METRIC_SMAPS_FIRST + i] += m->smaps[i];
	for (int i = 0; i < CLASS_SWAP; i++)
		v->of[METRIC_PAGEMAP_PRESENT] += p->of[i];
	v->of[METRIC_PAGEMAP_ANON] += p->of[CLASS_ANON];
	v->of[METRIC_PAGEMAP_FILE] += p->of[CLASS_FILE];
	v->of[METRIC_PAGEMAP_SHMEM] += p->of[CLASS_SHMEM];
	v->of[METRIC_PAGEMAP_ZERO] += p->of[CLASS_ZERO];
	v->of[METRIC_PAGEMAP_HUGETLB] += p->of[CLASS_HUGETLB];
	v->of[METRIC_PAGEMAP_SWAP] += p->of[CLASS_SWAP];
	v->of[METRIC_PAGEMAP_SPECIAL] += p->of[CLASS_SPECIAL];
	v->of[METRIC_PAGEMAP_EXCLUSIVE] += p->exclusive;
	v->of[METRIC_SCAN_PRESENT] += m->scan.present;
	v->of[METRIC_SCAN_FILE] += m->scan.file - p->hugetlb_file;
	v->of[METRIC_SCAN_SWAPPED] += m->scan.swapped;
	v->of[METRIC_SCAN_PFNZERO] += m->scan.pfnzero;
	v->of[METRIC_SCAN_HUGE] += m->scan.huge;
	v->of[METRIC_PAGEMAP_UFFD_WP] += p->uffd_wp;
	v->of[METRIC_PAGEMAP_GUARD] += p->guards;
	v->of[METRIC_SCAN_GUARD] += m->scan.guards;
	v->of[METRIC_SCAN_WRITTEN] += m->scan.written;
	for (int i = 0; i < NUMA_FIELDS; i++)
		v->of[METRIC_NUMA_PAGES + i] += m->numa[i];
	for (int i = 0; i < FRAMES_FIELDS; i++)
		v->of[METRIC_FRAMES_ANON + i] += m->frames[i];
}

/* Computes smaps_rollup: sums of fractions, rounded once. */
static void roll_up(struct values *v, const struct sums *all)
{
	for (int i = 0; i < SMAPS_FIELDS; i++)
		if (made_rollup_of(METRIC_SMAPS_FIRST + i) != METRIC_NONE)
			set(v, made_rollup_of(METRIC_SMAPS_FIRST + i), all->of[i] >> KB_SHIFT);
	set(v, METRIC_ROLLUP_PSS_ANON, all->pss_of[ACCOUNT_ANON] >> KB_SHIFT);
	set(v, METRIC_ROLLUP_PSS_FILE, all->pss_of[ACCOUNT_FILE] >> KB_SHIFT);
	set(v, METRIC_ROLLUP_PSS_SHMEM, all->pss_of[ACCOUNT_SHMEM] >> KB_SHIFT);
}

static void write_counters(struct values *v)
{
	int64_t anon = v->of[METRIC_PAGEMAP_ANON], file = v->of[METRIC_PAGEMAP_FILE];
	int64_t shmem = v->of[METRIC_PAGEMAP_SHMEM], rss = anon + file + shmem;

	set(v, METRIC_STAT_RSS, rss);
	set(v, METRIC_STATM_RESIDENT, rss);
	set(v, METRIC_STATM_SHARED, file + shmem);
	set(v, METRIC_STATUS_VMRSS, rss * PAGE_KB);
	set(v, METRIC_STATUS_RSSANON, anon * PAGE_KB);
	set(v, METRIC_STATUS_RSSFILE, file * PAGE_KB);
	set(v, METRIC_STATUS_RSSSHMEM, shmem * PAGE_KB);
	set(v, METRIC_STATUS_VMHWM, rss * PAGE_KB + 160);
	set(v, METRIC_STATUS_VMSWAP, v->of[METRIC_PAGEMAP_SWAP] * PAGE_KB);
	set(v, METRIC_STATUS_HUGETLB, v->of[METRIC_PAGEMAP_HUGETLB] * PAGE_KB);
}

/* Follows vm_stat_account() of mm/mmap.c. */
static void write_address_space(struct values *v, const struct made_process *p)
{
	int64_t data = 0, stack = 0, exec = 0, locked = 0, all = 0, text = p->maps[MADE_TEXT].pages;

	for (size_t i = 0; i < p->nr; i++) {
		const struct made_mapping *m = &p->maps[i];

		if (i == MADE_GATE)
			continue;
		all += m->pages;
		stack += i == MADE_STACK ? m->pages : 0;
		locked += i == MADE_LOCKED ? m->pages : 0;
		exec += !strcmp(m->permissions, "r-xp") ? m->pages : 0;
		data += !strcmp(m->permissions, "rw-p") && i != MADE_STACK ? m->pages : 0;
	}
	set(v, METRIC_STAT_VSIZE, all * PAGE_BYTES);
	set(v, METRIC_STATM_SIZE, all);
	set(v, METRIC_STATM_TEXT, text);
	set(v, METRIC_STATM_LIB, 0);
	set(v, METRIC_STATM_DATA, data + stack);
	set(v, METRIC_STATM_DT, 0);
	set(v, METRIC_STATUS_VMPEAK, all * PAGE_KB + 400);
	set(v, METRIC_STATUS_VMSIZE, all * PAGE_KB);
	set(v, METRIC_STATUS_VMLCK, locked * PAGE_KB);
	set(v, METRIC_STATUS_VMDATA, data * PAGE_KB);
	set(v, METRIC_STATUS_VMSTK, stack * PAGE_KB);
	set(v, METRIC_STATUS_VMEXE, text * PAGE_KB);
	set(v, METRIC_STATUS_VMLIB, (exec - text) * PAGE_KB);
}

static void write_rest(struct values *v)
{
	for (int id = 0; id < METRIC_COUNT; id++)
		if (metric(id)->source != SOURCE_RUSAGE)
			v->have[id] = true;
	set(v, METRIC_STAT_MINFLT, 1000);
	set(v, METRIC_STAT_MAJFLT, 3);
	set(v, METRIC_STAT_RSSLIM, 1LL << 40);
	set(v, METRIC_STATUS_VMPIN, 0);
	set(v, METRIC_STATUS_VMPTE, 120);
	set(v, METRIC_STATUS_THP_ENABLED, 1);
	set(v, METRIC_OOM_SCORE, 667);
}

struct snapshot *made_snapshot(const struct made_process *p)
{
	struct snapshot *s = calloc(1, sizeof(*s));
	struct sums one, all = { .of = { 0 } };

	assert_non_null(s);
	s->pid = 4711;
	s->nr_maps = p->nr;
	s->maps = calloc(p->nr, sizeof(*s->maps));
	assert_non_null(s->maps);
	for (size_t i = 0; i < p->nr; i++) {
		write_mapping(&s->maps[i], &p->maps[i], i, &one);
		if (i == MADE_GATE)
			continue;
		sum_up(&s->values, &s->maps[i]);
		for (int k = 0; k < SMAPS_FIELDS; k++)
			all.of[k] += one.of[k];
		for (int k = 0; k < ACCOUNT_COUNT; k++)
			all.pss_of[k] += one.pss_of[k];
	}
	roll_up(&s->values, &all);
	write_counters(&s->values);
	write_address_space(&s->values, p);
	write_rest(&s->values);
	return s;
}

void made_snapshot_free(struct snapshot *s)
{
	snapshot_free(s);
	free(s);
}

int64_t made_page(enum metric_id id)
{
	switch (metric(id)->unit) {
	case UNIT_KB:
		return PAGE_KB;
	case UNIT_BYTES:
		return PAGE_BYTES;
	default:
		return 1;
	}
}

enum metric_id made_rollup_of(enum metric_id smaps)
{
	return metric_by_key(SOURCE_ROLLUP, metric(smaps)->key, strlen(metric(smaps)->key), 0);
}

enum metric_id made_smaps_of(enum metric_id rollup)
{
	return metric_by_key(SOURCE_SMAPS, metric(rollup)->key, strlen(metric(rollup)->key), 0);
}
