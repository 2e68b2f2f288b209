// SPDX-License-Identifier: MIT
/* Checks each mapping, so that an error in one mapping cannot hide in a sum. */
#include "private.h"
#include <stdio.h>
#include <string.h>

struct checker {
	const struct trial *t;
	const struct where *w;
	struct judgement *j;
	const struct mapping *m;
	int64_t unit;       /* kB in a page */
	bool tells_guards;  /* PAGEMAP_SCAN distinguishes guard regions from swap, as on 6.16 */
	bool thp_enabled;   /* PR_SET_THP_DISABLE is not set, or its state is unknown */
	bool mmu_is_kernel; /* MMUPageSize = KernelPageSize in the mappings without hugetlb */
};

static void check_in(const struct checker *c, enum rule_id rule, const char *unit,
		     const char *field, int64_t seen, int64_t expected)
{
	char what[80];

	c->j->nr_checks++;
	if (seen == expected)
		return;
	c->j->nr_checks--;
	snprintf(what, sizeof(what), "%s of %.40s", field,
		 c->m->name[0] ? c->m->name : "(anonymous)");
	judge_compare(c->j, c->w, rule, what, seen, expected, 0, unit);
}

static void check(const struct checker *c, enum rule_id rule, const char *field, int64_t seen_kb,
		  int64_t expected_kb)
{
	if (seen_kb % c->unit == 0 && expected_kb % c->unit == 0)
		check_in(c, rule, "pages", field, seen_kb / c->unit, expected_kb / c->unit);
	else
		check_in(c, rule, "kB", field, seen_kb, expected_kb);
}

static int64_t kb(const struct checker *c, enum metric_id id)
{
	return mapping_smaps(c->m, id);
}

static int64_t lacking(const struct checker *c)
{
	return pss_lacks(c->t, kb(c, METRIC_SMAPS_ANONHUGEPAGES));
}

static int64_t resident_by_class(const struct mapping *m)
{
	return m->pagemap.of[CLASS_ANON] + m->pagemap.of[CLASS_FILE] + m->pagemap.of[CLASS_SHMEM];
}

static void check_pss_dirty(const struct checker *c)
{
	int64_t seen = kb(c, METRIC_SMAPS_PSS_DIRTY), private = kb(c, METRIC_SMAPS_PRIVATE_DIRTY);
	int64_t shared = kb(c, METRIC_SMAPS_SHARED_DIRTY);

	if (!(c->m->smaps_have & 1ULL << (METRIC_SMAPS_PSS_DIRTY - METRIC_SMAPS_FIRST)))
		return;
	if (seen < private - lacking(c) || seen > private + shared / 2)
		check(c, RULE_MAPPING_PSS_DIRTY, "Pss_Dirty", seen, private);
}

static void check_fields(const struct checker *c)
{
	int64_t rss = kb(c, METRIC_SMAPS_RSS), pss = kb(c, METRIC_SMAPS_PSS);
	int64_t private = mapping_private(c->m);
	int64_t shared = kb(c, METRIC_SMAPS_SHARED_CLEAN) + kb(c, METRIC_SMAPS_SHARED_DIRTY);

	check(c, RULE_MAPPING_SIZE, "Size", kb(c, METRIC_SMAPS_SIZE),
	      (int64_t)((c->m->end - c->m->start) / 1024));
	check(c, RULE_MAPPING_RSS_PARTS, "Rss", rss, private + shared);
	/* A private page counts fully in Pss, a shared page for at most half. */
	if (pss < private - lacking(c) || pss > private + shared / 2)
		check(c, RULE_MAPPING_PSS, "Pss", pss, private);
	check_pss_dirty(c);
	if (c->m->flags[0] && !mapping_has_flag(c->m, "ht"))
		check_in(c, RULE_MAPPING_KERNEL_PAGE, "kB", "KernelPageSize",
			 kb(c, METRIC_SMAPS_KERNELPAGESIZE), c->unit);
	/* The MMU's pages may be smaller than the kernel's (powerpc), never larger. */
	if (kb(c, METRIC_SMAPS_MMUPAGESIZE) > kb(c, METRIC_SMAPS_KERNELPAGESIZE))
		check_in(c, RULE_MAPPING_MMU_PAGE, "kB", "MMUPageSize",
			 kb(c, METRIC_SMAPS_MMUPAGESIZE), kb(c, METRIC_SMAPS_KERNELPAGESIZE));
	if (c->mmu_is_kernel && mapping_has_flag(c->m, "ht"))
		check_in(c, RULE_MAPPING_MMU_HUGETLB, "kB", "MMUPageSize",
			 kb(c, METRIC_SMAPS_MMUPAGESIZE), kb(c, METRIC_SMAPS_KERNELPAGESIZE));
	if (!c->thp_enabled)
		check_in(c, RULE_MAPPING_ELIGIBLE, "", "THPeligible",
			 kb(c, METRIC_SMAPS_THPELIGIBLE), 0);
	if (rss > kb(c, METRIC_SMAPS_SIZE))
		check(c, RULE_MAPPING_RSS_SIZE, "Rss", rss, kb(c, METRIC_SMAPS_SIZE));
	if (c->m->flags[0])
		check(c, RULE_MAPPING_LOCKED, "Locked", kb(c, METRIC_SMAPS_LOCKED),
		      mapping_has_flag(c->m, "lo") ? pss : 0);
}

/*
 * Checks bit 61 of pagemap, PM_FILE. The kernel sets it for every page that is not anonymous; from
 * 6.11 to 7.2 also for the huge zero page. Before 6.11 it was missing for page cache mapped by a
 * PMD. That is excused unless PAGEMAP_SCAN exists, which reports such a page as PAGE_IS_FILE.
 */
static void check_file_bit(const struct checker *c, const struct page_counts *p)
{
	int64_t cache = (p->of[CLASS_FILE] + p->of[CLASS_SHMEM]) * c->unit;
	int64_t by_pmd = kb(c, METRIC_SMAPS_SHMEMPMDMAPPED) + kb(c, METRIC_SMAPS_FILEPMDMAPPED);
	int64_t seen = p->file_bit * c->unit, most = cache + p->of[CLASS_ZERO] * c->unit;

	if (c->m->scan.scanned)
		by_pmd = 0;
	if (seen < cache - by_pmd || seen > most)
		check(c, RULE_MAPPING_FILE_BIT, "bit 61", seen, cache);
}

static void check_pagemap(const struct checker *c)
{
	const struct page_counts *p = &c->m->pagemap;
	int64_t private = mapping_private(c->m);
	int64_t hugetlb = kb(c, METRIC_SMAPS_SHARED_HUGETLB) + kb(c, METRIC_SMAPS_PRIVATE_HUGETLB);

	if (!p->walked)
		return;
	check(c, RULE_MAPPING_HUGETLB, "hugetlb", hugetlb, p->of[CLASS_HUGETLB] * c->unit);
	check(c, RULE_MAPPING_PRIVATE_HUGETLB, "Private_Hugetlb",
	      kb(c, METRIC_SMAPS_PRIVATE_HUGETLB), p->hugetlb_exclusive * c->unit);
	if (c->m->shared)
		check(c, RULE_MAPPING_HUGETLB_FILE, "bit 61 of hugetlb", p->hugetlb_file * c->unit,
		      p->of[CLASS_HUGETLB] * c->unit);
	check_file_bit(c, p);
	if (!p->zero_known)
		return;
	check(c, RULE_MAPPING_RSS, "Rss", kb(c, METRIC_SMAPS_RSS),
	      resident_by_class(c->m) * c->unit);
	check(c, RULE_MAPPING_ANONYMOUS, "Anonymous", kb(c, METRIC_SMAPS_ANONYMOUS),
	      p->of[CLASS_ANON] * c->unit);
	if (!p->of[CLASS_HUGETLB])
		check(c, RULE_MAPPING_PRIVATE, "Private", private, p->exclusive * c->unit);
}

static void check_scan(const struct checker *c)
{
	const struct scan_counts *s = &c->m->scan;
	const struct page_counts *p = &c->m->pagemap;
	int64_t present = p->of[CLASS_ZERO] + p->of[CLASS_HUGETLB] + p->of[CLASS_SPECIAL];

	if (!s->scanned || !p->walked)
		return;
	check(c, RULE_MAPPING_SCAN_PRESENT, "PAGEMAP_SCAN present", s->present * c->unit,
	      (present + resident_by_class(c->m)) * c->unit);
	check(c, RULE_MAPPING_SCAN_SWAPPED, "PAGEMAP_SCAN swapped", s->swapped * c->unit,
	      p->of[CLASS_SWAP] * c->unit);
	check(c, RULE_MAPPING_SCAN_FILE, "PAGEMAP_SCAN file", s->file * c->unit,
	      (p->of[CLASS_FILE] + p->of[CLASS_SHMEM] + p->hugetlb_file) * c->unit);
	if (p->zero_known)
		check(c, RULE_MAPPING_SCAN_PFNZERO, "PAGEMAP_SCAN pfnzero", s->pfnzero * c->unit,
		      p->of[CLASS_ZERO] * c->unit);
}

/*
 * Compares guard regions, soft-dirty and written pages as counted by pagemap and by PAGEMAP_SCAN. A
 * page is "written" in PAGEMAP_SCAN if it is not protected by userfaultfd.
 */
static void check_marks(const struct checker *c)
{
	const struct scan_counts *s = &c->m->scan;
	const struct page_counts *p = &c->m->pagemap;
	int64_t entries = resident_by_class(c->m) + p->of[CLASS_ZERO] + p->of[CLASS_HUGETLB] +
			  p->of[CLASS_SPECIAL] + p->of[CLASS_SWAP];

	if (!s->scanned || !p->walked)
		return;
	if (c->tells_guards)
		check(c, RULE_MAPPING_SCAN_GUARD, "PAGEMAP_SCAN guard", s->guards * c->unit,
		      p->guards * c->unit);
	check(c, RULE_MAPPING_SCAN_SOFT_DIRTY, "PAGEMAP_SCAN soft-dirty", s->soft_dirty * c->unit,
	      p->soft_dirty_entries * c->unit);
	/*
	 * In a mapping without userfaultfd every page counts as written up to 7.2, and none from
	 * 7.3 on.
	 */
	if (mapping_has_flag(c->m, "uw") || s->written)
		check(c, RULE_MAPPING_SCAN_WRITTEN, "PAGEMAP_SCAN written", s->written * c->unit,
		      (entries - p->uffd_wp) * c->unit);
}

/*
 * Checks that no page has the uffd-wp bit unless a userfaultfd is registered. The kernel clears
 * both together (move_ptes(), copy_present_page(), userfaultfd_clear_vma()).
 */
static void check_protection(const struct checker *c)
{
	if (c->m->flags[0] && c->m->pagemap.walked && !mapping_has_flag(c->m, "uw"))
		check(c, RULE_MAPPING_UFFD_WP, "bit 57", c->m->pagemap.uffd_wp * c->unit, 0);
}

/*
 * Compares numa_maps with smaps, except in [vdso] and the like: numa_maps leaves out reserved
 * pages.
 */
static void check_numa(const struct checker *c)
{
	const int64_t *of = c->m->numa;

	if (!c->m->numa_read || !strncmp(c->m->name, "[v", 2))
		return;
	check(c, RULE_MAPPING_NUMA_RSS, "numa_maps N0 + N1 ...", of[0] * c->unit,
	      kb(c, METRIC_SMAPS_RSS));
	check(c, RULE_MAPPING_NUMA_ANON, "numa_maps anon",
	      of[METRIC_NUMA_ANON - METRIC_NUMA_FIRST] * c->unit, kb(c, METRIC_SMAPS_ANONYMOUS));
	check(c, RULE_MAPPING_NUMA_DIRTY, "numa_maps dirty",
	      of[METRIC_NUMA_DIRTY - METRIC_NUMA_FIRST] * c->unit,
	      kb(c, METRIC_SMAPS_PRIVATE_DIRTY) + kb(c, METRIC_SMAPS_SHARED_DIRTY));
	check(c, RULE_MAPPING_NUMA_MAPPED, "numa_maps mapped",
	      of[METRIC_NUMA_MAPPED - METRIC_NUMA_FIRST] * c->unit, of[0] * c->unit);
	check(c, RULE_MAPPING_NUMA_HUGE, "numa_maps huge",
	      of[METRIC_NUMA_HUGETLB - METRIC_NUMA_FIRST] * c->unit,
	      kb(c, METRIC_SMAPS_SHARED_HUGETLB) + kb(c, METRIC_SMAPS_PRIVATE_HUGETLB));
}

static void check_frames(const struct checker *c)
{
	static const struct {
		enum rule_id rule;
		enum metric_id seen, expected;
	} same[] = {
		{ RULE_MAPPING_FRAMES_ANON, METRIC_FRAMES_ANON, METRIC_SMAPS_ANONYMOUS },
		{ RULE_MAPPING_FRAMES_MMAP, METRIC_FRAMES_MMAP, METRIC_SMAPS_RSS },
	};
	const int64_t *of = c->m->frames;

	if (!c->m->frames_read)
		return;
	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++)
		check(c, same[i].rule, metric(same[i].seen)->name,
		      of[same[i].seen - METRIC_FRAMES_FIRST] * c->unit, kb(c, same[i].expected));
	check(c, RULE_MAPPING_FRAMES_HUGE, "kpageflags.huge",
	      of[METRIC_FRAMES_HUGE - METRIC_FRAMES_FIRST] * c->unit,
	      c->m->pagemap.of[CLASS_HUGETLB] * c->unit);
	check(c, RULE_MAPPING_FRAMES_ONCE, "kpagecount.once",
	      of[METRIC_FRAMES_ONCE - METRIC_FRAMES_FIRST] * c->unit,
	      c->m->pagemap.exclusive * c->unit);
}

/*
 * Checks LazyFree. smaps_account() counts an anonymous page as LazyFree if it is not SwapBacked and
 * neither its entry nor its frame is dirty. Mappings with pages of files are left out, because
 * SwapBacked means something else there.
 */
static void check_given_up(const struct checker *c)
{
	const int64_t *of = c->m->frames;
	int64_t dirty = kb(c, METRIC_SMAPS_PRIVATE_DIRTY) + kb(c, METRIC_SMAPS_SHARED_DIRTY);
	int64_t seen = kb(c, METRIC_SMAPS_LAZYFREE), most;

	if (!c->m->frames_read || kb(c, METRIC_SMAPS_ANONYMOUS) != kb(c, METRIC_SMAPS_RSS) ||
	    !(c->m->smaps_have & 1ULL << (METRIC_SMAPS_LAZYFREE - METRIC_SMAPS_FIRST)))
		return;
	most = c->unit * (of[0] - of[METRIC_FRAMES_SWAPBACKED - METRIC_FRAMES_FIRST]);
	if (seen < most - dirty || seen > most)
		check(c, RULE_MAPPING_LAZYFREE, "LazyFree", seen,
		      seen > most ? most : most - dirty);
}

/* Compares VmFlags with the permissions in maps, because both print the same vm_flags. */
static void check_flags(const struct checker *c)
{
	const struct mapping *m = c->m;
	const struct {
		const char *flag;
		bool is;
	} pairs[] = { { "rd", m->readable },
		      { "wr", m->writable },
		      { "ex", m->executable },
		      { "ms", m->shared } };

	for (size_t i = 0; m->flags[0] && i < sizeof(pairs) / sizeof(*pairs); i++)
		check_in(c, RULE_MAPPING_FLAGS, "", pairs[i].flag,
			 mapping_has_flag(m, pairs[i].flag), pairs[i].is);
}

/* Compares PROCMAP_QUERY with maps, whose lines it returns in another form, and with smaps. */
static void check_query(const struct checker *c)
{
	const struct map_query *q = &c->m->query;
	const struct mapping *m = c->m;
	unsigned flags = (m->readable ? QUERY_READABLE : 0) | (m->writable ? QUERY_WRITABLE : 0) |
			 (m->executable ? QUERY_EXECUTABLE : 0) | (m->shared ? QUERY_SHARED : 0);
	const struct {
		const char *field;
		uint64_t seen, expected;
	} pairs[] = { { "start", q->start, m->start },
		      { "end", q->end, m->end },
		      { "offset", q->offset, m->offset },
		      { "inode", q->inode, m->inode },
		      { "device (major)", q->dev_major, m->dev_major },
		      { "device (minor)", q->dev_minor, m->dev_minor },
		      { "flags", q->flags, flags },
		      { "the same name", q->same_name, 1 } };

	if (!q->asked)
		return;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++)
		check_in(c, RULE_MAPPING_QUERY, "", pairs[i].field, (int64_t)pairs[i].seen,
			 (int64_t)pairs[i].expected);
	check_in(c, RULE_MAPPING_QUERY_PAGE, "kB", "page size", q->page_kb,
		 kb(c, METRIC_SMAPS_KERNELPAGESIZE));
}

/*
 * Compares VmData and the like with sums over the mappings, by the kind of each mapping, as
 * vm_stat_account() adds them up.
 */
static void check_address_space(const struct trial *t, const struct snapshot *s,
				const struct where *w, struct judgement *j)
{
	int64_t of[ACCOUNT_COUNT] = { 0 };
	long page = t->host->page_size;

	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];
		int64_t pages = (int64_t)(m->end - m->start) / page;

		if (!strcmp(m->name, "[vsyscall]"))
			continue;
		of[mapping_account(m)] += pages;
		if (mapping_has_flag(m, "lo"))
			of[ACCOUNT_LOCKED_VM] += pages;
	}
	static const struct {
		enum metric_id id;
		enum account account;
		enum rule_id rule;
	} sums[] = {
		{ METRIC_STATUS_VMDATA, ACCOUNT_PRIVATE_WRITABLE, RULE_VMDATA_MAPPINGS },
		{ METRIC_STATUS_VMSTK, ACCOUNT_STACK, RULE_VMSTK_MAPPINGS },
		{ METRIC_STATUS_VMLCK, ACCOUNT_LOCKED_VM, RULE_VMLCK_MAPPINGS },
	};
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		if (s->values.have[sums[i].id])
			judge_compare(j, w, sums[i].rule, metric(sums[i].id)->name,
				      snapshot_pages(s, sums[i].id, page), of[sums[i].account], 0,
				      NULL);
	if (s->values.have[METRIC_STATUS_VMLIB] && s->values.have[METRIC_STATUS_VMEXE])
		judge_compare(j, w, RULE_TEXT_MAPPINGS, metric(METRIC_STATUS_VMLIB)->name,
			      snapshot_pages(s, METRIC_STATUS_VMLIB, page) +
				      snapshot_pages(s, METRIC_STATUS_VMEXE, page),
			      of[ACCOUNT_EXEC], 0, NULL);
}

/*
 * Checks Pss_Anon against a range, because only smaps_rollup has Pss by class. Mappings with only
 * anonymous pages give the lower bound. Mixed mappings (private file mappings with written pages)
 * raise only the upper bound.
 */
static void check_pss_anon(const struct snapshot *s, const struct where *w, struct judgement *j)
{
	int64_t seen = s->values.of[METRIC_ROLLUP_PSS_ANON], low = 0, high = 0;

	if (!s->values.have[METRIC_ROLLUP_PSS_ANON])
		return;
	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];
		int64_t anon = mapping_smaps(m, METRIC_SMAPS_ANONYMOUS);
		int64_t pss = mapping_smaps(m, METRIC_SMAPS_PSS);

		if (!anon)
			continue;
		if (anon == mapping_smaps(m, METRIC_SMAPS_RSS))
			low += pss;
		high += (pss < anon ? pss : anon) + 1;
	}
	judge_compare(j, w, RULE_PSS_ANON, metric(METRIC_ROLLUP_PSS_ANON)->name, seen,
		      seen < low    ? low
		      : seen > high ? high
				    : seen,
		      0, "kB");
}

static bool mmu_is_kernel(const struct snapshot *s)
{
	for (size_t i = 0; i < s->nr_maps; i++) {
		const struct mapping *m = &s->maps[i];

		if (m->smaps_have && m->flags[0] && !mapping_has_flag(m, "ht") &&
		    strcmp(m->name, "[vsyscall]"))
			return mapping_smaps(m, METRIC_SMAPS_MMUPAGESIZE) ==
			       mapping_smaps(m, METRIC_SMAPS_KERNELPAGESIZE);
	}
	return false;
}

void judge_mappings(const struct trial *t, const struct snapshot *s, const struct where *w,
		    struct judgement *j)
{
	struct checker c = { t,
			     w,
			     j,
			     NULL,
			     t->host->page_size / 1024,
			     s->values.have[METRIC_SCAN_GUARD],
			     snapshot_value(s, METRIC_STATUS_THP_ENABLED) != 0,
			     mmu_is_kernel(s) };

	for (size_t i = 0; i < s->nr_maps; i++) {
		c.m = &s->maps[i];
		if (!strcmp(c.m->name, "[vsyscall]") || !c.m->smaps_have)
			continue;
		check_fields(&c);
		check_pagemap(&c);
		check_scan(&c);
		check_marks(&c);
		check_protection(&c);
		check_numa(&c);
		check_frames(&c);
		check_given_up(&c);
		check_flags(&c);
		check_query(&c);
	}
	check_address_space(t, s, w, j);
	check_pss_anon(s, w, j);
}

int64_t pss_lacks(const struct trial *t, int64_t anon_huge_kb)
{
	return t->host->pss_loses_huge && anon_huge_kb > 0 ? anon_huge_kb : 0;
}
