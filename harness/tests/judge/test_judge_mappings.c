// SPDX-License-Identifier: MIT
/*
 * The rules for each mapping: each field of one mapping, and each total of the address space, is
 * made wrong by a page.
 */
#include "judge/judge.h"
#include "tests/support/made_trial.h"

static struct mapping *mapping_of(enum made_name where)
{
	return &whole->t.moments[0].of[0]->maps[where];
}

static int64_t *smaps_of(enum made_name where, enum metric_id id)
{
	return &mapping_of(where)->smaps[id - METRIC_SMAPS_FIRST];
}

/* Wrong values of one smaps field in one mapping; the sums stay as they are. */
static const struct {
	enum made_name where;
	enum metric_id field;
	int64_t kb;
	enum rule_id rule;
	const char *what;
} fields[] = {
	{ MADE_ANON, METRIC_SMAPS_SIZE, 4, RULE_MAPPING_SIZE, "Size of (anonymous)" },
	{ MADE_HEAP, METRIC_SMAPS_RSS, 4, RULE_MAPPING_RSS_PARTS, "Rss of [heap]" },
	{ MADE_HEAP, METRIC_SMAPS_RSS, 1, RULE_MAPPING_RSS_PARTS, NULL },
	{ MADE_HEAP, METRIC_SMAPS_RSS, -4, RULE_MAPPING_RSS, "Rss of [heap]" },
	{ MADE_FILE, METRIC_SMAPS_SHARED_CLEAN, 4, RULE_MAPPING_RSS_PARTS, NULL },
	{ MADE_SHMEM, METRIC_SMAPS_SHARED_DIRTY, 4, RULE_MAPPING_RSS_PARTS, NULL },
	{ MADE_FILE, METRIC_SMAPS_PRIVATE_CLEAN, 4, RULE_MAPPING_RSS_PARTS, NULL },
	{ MADE_FILE, METRIC_SMAPS_PRIVATE_DIRTY, 4, RULE_MAPPING_PRIVATE, "Private of /var/tmp" },
	{ MADE_HEAP, METRIC_SMAPS_PSS, 1, RULE_MAPPING_PSS, "Pss of [heap]" },
	{ MADE_HEAP, METRIC_SMAPS_PSS, -1, RULE_MAPPING_PSS, NULL },
	{ MADE_SHMEM, METRIC_SMAPS_PSS, 1, RULE_MAPPING_PSS, NULL },
	{ MADE_HEAP, METRIC_SMAPS_RSS, 4 * 64, RULE_MAPPING_RSS_SIZE, NULL },
	{ MADE_HEAP, METRIC_SMAPS_LOCKED, 4, RULE_MAPPING_LOCKED, NULL },
	{ MADE_LOCKED, METRIC_SMAPS_LOCKED, 1, RULE_MAPPING_LOCKED, NULL },
	{ MADE_LOCKED, METRIC_SMAPS_LOCKED, -4, RULE_MAPPING_LOCKED, NULL },
	{ MADE_HEAP, METRIC_SMAPS_MMUPAGESIZE, 4, RULE_MAPPING_MMU_PAGE, NULL },
	{ MADE_HUGETLB, METRIC_SMAPS_SHARED_HUGETLB, 4, RULE_MAPPING_HUGETLB, NULL },
	{ MADE_HUGETLB, METRIC_SMAPS_PRIVATE_HUGETLB, -4, RULE_MAPPING_HUGETLB, NULL },
	{ MADE_ANON, METRIC_SMAPS_PRIVATE_HUGETLB, 4, RULE_MAPPING_HUGETLB, NULL },
	{ MADE_ANON, METRIC_SMAPS_ANONYMOUS, 4, RULE_MAPPING_ANONYMOUS,
	  "Anonymous of (anonymous)" },
	{ MADE_DATA, METRIC_SMAPS_ANONYMOUS, -4, RULE_MAPPING_ANONYMOUS, NULL },
};

TEST(an_error_of_a_page_in_any_field_of_a_mapping_is_found)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		*smaps_of(fields[i].where, fields[i].field) += fields[i].kb;
		if (!whole_breaks(fields[i].rule, fields[i].what))
			fail_msg(
				"row %zu: %s of mapping %d, off by %lld kB: \"%s\" did not find it",
				i, metric(fields[i].field)->name, fields[i].where,
				(long long)fields[i].kb, rule(fields[i].rule)->name);
		whole_again();
	}
}

#define PLACE(field) offsetof(struct mapping, field)

/* Wrong counts of one walker in one mapping; the sums stay as they are. */
static const struct {
	enum made_name where;
	size_t place;
	enum rule_id rule;
	const char *what;
} counts[] = {
	{ MADE_HEAP, PLACE(pagemap.of[CLASS_ANON]), RULE_MAPPING_RSS, "Rss of [heap]" },
	{ MADE_HEAP, PLACE(pagemap.of[CLASS_ANON]), RULE_MAPPING_ANONYMOUS, "Anonymous of [heap]" },
	{ MADE_TEXT, PLACE(pagemap.of[CLASS_FILE]), RULE_MAPPING_RSS, "Rss of /usr/bin" },
	{ MADE_TEXT, PLACE(pagemap.of[CLASS_FILE]), RULE_MAPPING_SCAN_FILE, "PAGEMAP_SCAN file" },
	{ MADE_SHMEM, PLACE(pagemap.of[CLASS_SHMEM]), RULE_MAPPING_RSS, "Rss of /dev/zero" },
	{ MADE_SHMEM, PLACE(pagemap.of[CLASS_SHMEM]), RULE_MAPPING_SCAN_FILE, "PAGEMAP_SCAN file" },
	{ MADE_ANON, PLACE(pagemap.of[CLASS_ZERO]), RULE_MAPPING_SCAN_PFNZERO,
	  "PAGEMAP_SCAN pfnzero" },
	{ MADE_ANON, PLACE(pagemap.of[CLASS_ZERO]), RULE_MAPPING_SCAN_PRESENT,
	  "PAGEMAP_SCAN present" },
	{ MADE_VVAR, PLACE(pagemap.of[CLASS_SPECIAL]), RULE_MAPPING_SCAN_PRESENT,
	  "PAGEMAP_SCAN present" },
	{ MADE_HUGETLB, PLACE(pagemap.of[CLASS_HUGETLB]), RULE_MAPPING_HUGETLB, "hugetlb" },
	{ MADE_HUGETLB, PLACE(pagemap.of[CLASS_HUGETLB]), RULE_MAPPING_SCAN_PRESENT,
	  "PAGEMAP_SCAN present" },
	{ MADE_ANON, PLACE(pagemap.of[CLASS_SWAP]), RULE_MAPPING_SCAN_SWAPPED,
	  "PAGEMAP_SCAN swapped" },
	{ MADE_ANON, PLACE(pagemap.exclusive), RULE_MAPPING_PRIVATE, "Private" },
	{ MADE_HUGETLB, PLACE(pagemap.hugetlb_exclusive), RULE_MAPPING_PRIVATE_HUGETLB,
	  "Private_Hugetlb" },
	{ MADE_HUGETLB, PLACE(pagemap.hugetlb_file), RULE_MAPPING_SCAN_FILE, "PAGEMAP_SCAN file" },
	{ MADE_HUGETLB, PLACE(pagemap.hugetlb_file), RULE_MAPPING_HUGETLB_FILE,
	  "bit 61 of hugetlb" },
	{ MADE_HUGETLB, PLACE(scan.file), RULE_MAPPING_SCAN_FILE, "PAGEMAP_SCAN file" },
	{ MADE_SHMEM, PLACE(pagemap.file_bit), RULE_MAPPING_FILE_BIT, "bit 61" },
	{ MADE_ANON, PLACE(scan.present), RULE_MAPPING_SCAN_PRESENT, "PAGEMAP_SCAN present" },
	{ MADE_FILE, PLACE(scan.file), RULE_MAPPING_SCAN_FILE, "PAGEMAP_SCAN file" },
	{ MADE_ANON, PLACE(scan.swapped), RULE_MAPPING_SCAN_SWAPPED, "PAGEMAP_SCAN swapped" },
	{ MADE_ANON, PLACE(scan.pfnzero), RULE_MAPPING_SCAN_PFNZERO, "PAGEMAP_SCAN pfnzero" },
};

TEST(an_error_of_a_page_in_any_count_of_a_walker_is_found)
{
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		for (int pages = -1; pages <= 1; pages += 2) {
			*(int64_t *)((char *)mapping_of(counts[i].where) +
				     counts[i].place) += pages;
			if (!whole_breaks(counts[i].rule, counts[i].what))
				fail_msg("row %zu, %+d page: \"%s\" did not find it", i, pages,
					 rule(counts[i].rule)->name);
			whole_again();
		}
	}
}

static void assert_told(int64_t kb, int64_t off, const char *unit)
{
	OWNED(judgement_free) struct judgement j = { 0 };
	const struct discrepancy *d;

	*smaps_of(MADE_HEAP, METRIC_SMAPS_RSS) += kb;
	judge_invariants(&whole->t, 0, 0, &j);
	d = made_find(&j, RULE_MAPPING_RSS_PARTS, "Rss of [heap]");
	assert_non_null(d);
	assert_int_equal(d->counter - d->precise, off);
	assert_string_equal(d->unit, unit);
	whole_again();
}

TEST(an_error_of_whole_pages_is_reported_in_pages)
{
	assert_told(2 * PAGE_KB, 2, "pages");
	assert_told(PAGE_KB + 1, PAGE_KB + 1, "kB");
}

TEST(an_error_cannot_hide_in_a_sum)
{
	*smaps_of(MADE_HEAP, METRIC_SMAPS_RSS) += PAGE_KB;
	*smaps_of(MADE_HEAP, METRIC_SMAPS_PRIVATE_DIRTY) += PAGE_KB;
	*smaps_of(MADE_STACK, METRIC_SMAPS_RSS) -= PAGE_KB;
	*smaps_of(MADE_STACK, METRIC_SMAPS_PRIVATE_DIRTY) -= PAGE_KB;
	assert_true(whole_breaks(RULE_MAPPING_RSS, "Rss of [heap]"));
	assert_true(whole_breaks(RULE_MAPPING_RSS, "Rss of [stack]"));
}

/*
 * The boundary between two mappings moves by a page, so no field is wrong except the end of one
 * mapping.
 */
TEST(the_totals_of_the_address_space_are_sums_over_the_mappings)
{
	static const struct {
		enum made_name where;
		enum metric_id id;
		enum rule_id rule;
	} totals[] = {
		{ MADE_HEAP, METRIC_STATUS_VMDATA, RULE_VMDATA_MAPPINGS },
		{ MADE_DATA, METRIC_STATUS_VMDATA, RULE_VMDATA_MAPPINGS },
		{ MADE_STACK, METRIC_STATUS_VMSTK, RULE_VMSTK_MAPPINGS },
		{ MADE_LOCKED, METRIC_STATUS_VMLCK, RULE_VMLCK_MAPPINGS },
		{ MADE_LIBRARY, METRIC_STATUS_VMLIB, RULE_TEXT_MAPPINGS },
		{ MADE_TEXT, METRIC_STATUS_VMEXE, RULE_TEXT_MAPPINGS },
	};

	for (size_t i = 0; i < sizeof(totals) / sizeof(*totals); i++) {
		mapping_of(totals[i].where)->end += PAGE_BYTES;
		assert_true(whole_breaks(totals[i].rule, NULL));
		whole_again();
		*whole_value(totals[i].id) -= PAGE_KB;
		assert_true(whole_breaks(totals[i].rule, NULL));
		whole_again();
	}
}

/* A mapping with only anonymous pages raises both bounds, a mixed mapping only the upper one. */
TEST(Pss_Anon_is_within_the_range_that_the_mappings_allow)
{
	/* Only DATA has pages of several classes: 16 of its 22 kB are anonymous. */
	int64_t sure = *whole_value(METRIC_ROLLUP_PSS_ANON) - 4 * PAGE_KB;
	static const enum rule_id rule = RULE_PSS_ANON;

	*whole_value(METRIC_ROLLUP_PSS_ANON) = sure;
	assert_false(whole_breaks(rule, NULL));
	*whole_value(METRIC_ROLLUP_PSS_ANON) = sure - 1;
	assert_true(whole_breaks(rule, NULL));
	/* Each of the six mappings with anonymous pages may be rounded by a kB. */
	*whole_value(METRIC_ROLLUP_PSS_ANON) = sure + 4 * PAGE_KB + 6;
	assert_false(whole_breaks(rule, NULL));
	*whole_value(METRIC_ROLLUP_PSS_ANON) = sure + 4 * PAGE_KB + 7;
	assert_true(whole_breaks(rule, NULL));
}

TEST(mappings_that_were_not_walked_are_not_compared)
{
	mapping_of(MADE_RESERVED)->pagemap = (struct page_counts) { .walked = false };
	mapping_of(MADE_ANON)->pagemap.walked = false;
	mapping_of(MADE_ANON)->pagemap.of[CLASS_ANON] = 0;
	assert_whole_agrees();
	whole_again();
	mapping_of(MADE_ANON)->scan = (struct scan_counts) { .scanned = false };
	assert_whole_agrees();
}

/* Without PFNs and without PAGEMAP_SCAN a zero page looks like an anonymous page. */
TEST(unrecognised_zero_pages_are_not_compared_with_smaps)
{
	struct page_counts *p = &mapping_of(MADE_ANON)->pagemap;

	p->zero_known = false;
	p->of[CLASS_ANON] += p->of[CLASS_ZERO];
	p->of[CLASS_ZERO] = 0;
	mapping_of(MADE_ANON)->scan.scanned = false;
	assert_whole_agrees();
}

TEST(the_gate_page_is_in_no_sum)
{
	mapping_of(MADE_GATE)->end += 7 * PAGE_BYTES;
	*smaps_of(MADE_GATE, METRIC_SMAPS_RSS) = PAGE_KB;
	assert_whole_agrees();
}

#define NUMA(id)   numa[METRIC_NUMA_##id - METRIC_NUMA_FIRST]
#define FRAMES(id) frames[METRIC_FRAMES_##id - METRIC_FRAMES_FIRST]

/* Counts of numa_maps and of the page frames, for mappings with and without a name. */
static const struct {
	enum made_name where;
	size_t place;
	enum rule_id rule;
	const char *what;
} others[] = {
	{ MADE_ANON, PLACE(NUMA(PAGES)), RULE_MAPPING_NUMA_RSS, "numa_maps N0" },
	{ MADE_HEAP, PLACE(NUMA(PAGES)), RULE_MAPPING_NUMA_RSS, "numa_maps N0" },
	{ MADE_TEXT, PLACE(NUMA(PAGES)), RULE_MAPPING_NUMA_RSS, "numa_maps N0" },
	{ MADE_DATA, PLACE(NUMA(ANON)), RULE_MAPPING_NUMA_ANON, "numa_maps anon" },
	{ MADE_FILE, PLACE(NUMA(ANON)), RULE_MAPPING_NUMA_ANON, "numa_maps anon" },
	{ MADE_FILE, PLACE(NUMA(DIRTY)), RULE_MAPPING_NUMA_DIRTY, "numa_maps dirty" },
	{ MADE_SHMEM, PLACE(NUMA(DIRTY)), RULE_MAPPING_NUMA_DIRTY, "numa_maps dirty" },
	{ MADE_LIBRARY, PLACE(NUMA(MAPPED)), RULE_MAPPING_NUMA_MAPPED, "numa_maps mapped" },
	{ MADE_HUGETLB, PLACE(NUMA(HUGETLB)), RULE_MAPPING_NUMA_HUGE, "numa_maps huge" },
	{ MADE_ANON, PLACE(NUMA(HUGETLB)), RULE_MAPPING_NUMA_HUGE, "numa_maps huge" },
	{ MADE_HEAP, PLACE(FRAMES(ANON)), RULE_MAPPING_FRAMES_ANON, "kpageflags.anon" },
	{ MADE_FILE, PLACE(FRAMES(ANON)), RULE_MAPPING_FRAMES_ANON, "kpageflags.anon" },
	{ MADE_HEAP, PLACE(FRAMES(MMAP)), RULE_MAPPING_FRAMES_MMAP, "kpageflags.mmap" },
	{ MADE_VDSO, PLACE(FRAMES(MMAP)), RULE_MAPPING_FRAMES_MMAP, "kpageflags.mmap" },
	{ MADE_HUGETLB, PLACE(FRAMES(HUGE)), RULE_MAPPING_FRAMES_HUGE, "kpageflags.huge" },
	{ MADE_ANON, PLACE(FRAMES(ONCE)), RULE_MAPPING_FRAMES_ONCE, "kpagecount.once" },
};

TEST(an_error_of_a_page_in_numa_maps_or_kpageflags_is_found)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		for (int pages = -1; pages <= 1; pages += 2) {
			struct mapping *at = mapping_of(others[i].where);

			*(int64_t *)((char *)at + others[i].place) += pages;
			if (!whole_breaks(others[i].rule, others[i].what))
				fail_msg("row %zu, %+d page: \"%s\" did not find it", i, pages,
					 rule(others[i].rule)->name);
			at->numa_read = at->frames_read = false;
			assert_whole_agrees();
			whole_again();
		}
	}
}

/* Two pages of this mapping are LazyFree. A dirty page without SWAPBACKED is not. */
TEST(LazyFree_equals_the_frames_without_SWAPBACKED)
{
	static const enum rule_id rule = RULE_MAPPING_LAZYFREE;
	struct mapping *anon = mapping_of(MADE_ANON);
	int64_t *lazy = smaps_of(MADE_ANON, METRIC_SMAPS_LAZYFREE);

	assert_int_equal(*lazy, 2 * PAGE_KB);
	*lazy += PAGE_KB;
	assert_true(whole_breaks(rule, "LazyFree of (anonymous)"));
	*lazy -= PAGE_KB;
	anon->FRAMES(SWAPBACKED) = 0;
	assert_false(whole_breaks(rule, NULL));
	*lazy -= PAGE_KB;
	assert_true(whole_breaks(rule, "LazyFree of (anonymous)"));
	anon->frames_read = false;
	assert_false(whole_breaks(rule, NULL));
	anon->frames_read = true;
	anon->smaps_have &= ~(1ULL << (METRIC_SMAPS_LAZYFREE - METRIC_SMAPS_FIRST));
	assert_false(whole_breaks(rule, NULL));
}

static bool *right_of(struct mapping *m, char right)
{
	switch (right) {
	case 'r':
		return &m->readable;
	case 'w':
		return &m->writable;
	case 'x':
		return &m->executable;
	default:
		return &m->shared;
	}
}

TEST(VmFlags_agree_with_the_permissions)
{
	static const enum made_name both[] = { MADE_TEXT, MADE_SHMEM };
	static const char rights[] = "rwxs";
	static const char *const flags[] = { "rd", "wr", "ex", "ms" };
	static const enum rule_id rule = RULE_MAPPING_FLAGS;

	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k < 2; k++) {
			bool *right = right_of(mapping_of(both[k]), rights[i]);

			*right = !*right;
			if (!whole_breaks(rule, flags[i]))
				fail_msg("'%c' of %s is not held against VmFlags", rights[i],
					 mapping_of(both[k])->name);
			whole_again();
		}
	}
}

static void answer(const struct mapping *m, struct map_query *q)
{
	*q = (struct map_query) {
		.asked = true,
		.same_name = true,
		.start = m->start,
		.end = m->end,
		.offset = m->offset,
		.inode = m->inode,
		.dev_major = m->dev_major,
		.dev_minor = m->dev_minor,
		.page_kb = mapping_smaps(m, METRIC_SMAPS_KERNELPAGESIZE),
		.flags = (m->readable ? QUERY_READABLE : 0) | (m->writable ? QUERY_WRITABLE : 0) |
			 (m->executable ? QUERY_EXECUTABLE : 0) | (m->shared ? QUERY_SHARED : 0),
	};
}

#define ANSWER(field) offsetof(struct map_query, field)

TEST(each_answer_of_PROCMAP_QUERY_agrees_with_maps)
{
	static const size_t numbers[] = { ANSWER(start), ANSWER(end), ANSWER(offset),
					  ANSWER(inode) };
	struct mapping *m = mapping_of(MADE_FILE);

	answer(m, &m->query);
	assert_whole_agrees();
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		++*(uint64_t *)((char *)&m->query + numbers[i]);
		assert_true(whole_breaks(RULE_MAPPING_QUERY, NULL));
		answer(m, &m->query);
	}
	m->query.flags ^= QUERY_SHARED;
	assert_true(whole_breaks(RULE_MAPPING_QUERY, "flags"));
	answer(m, &m->query);
	m->query.same_name = false;
	assert_true(whole_breaks(RULE_MAPPING_QUERY, NULL));
	answer(m, &m->query);
	m->query.page_kb++;
	assert_true(whole_breaks(RULE_MAPPING_QUERY_PAGE, NULL));
}

TEST(MMUPageSize_of_hugetlb_is_KernelPageSize_if_others_are_so)
{
	*smaps_of(MADE_HUGETLB, METRIC_SMAPS_MMUPAGESIZE) /= 2;
	assert_true(whole_breaks(RULE_MAPPING_MMU_HUGETLB, NULL));
	*smaps_of(MADE_TEXT, METRIC_SMAPS_MMUPAGESIZE) /= 2;
	assert_false(whole_breaks(RULE_MAPPING_MMU_HUGETLB, NULL));
}

/* smaps has VmFlags since 3.8. Without them there is nothing to compare. */
TEST(a_mapping_without_VmFlags_is_not_compared_with_them)
{
	mapping_of(MADE_HEAP)->flags = "";
	*smaps_of(MADE_HEAP, METRIC_SMAPS_KERNELPAGESIZE) *= 512;
	*smaps_of(MADE_HEAP, METRIC_SMAPS_LOCKED) = PAGE_KB;
	assert_whole_agrees();
}

TEST(THPeligible_is_0_if_the_process_disabled_THP)
{
	static const enum rule_id rule = RULE_MAPPING_ELIGIBLE;
	bool *known = &whole->t.moments[0].of[0]->values.have[METRIC_STATUS_THP_ENABLED];

	*smaps_of(MADE_ANON, METRIC_SMAPS_THPELIGIBLE) = 1;
	assert_false(whole_breaks(rule, NULL));
	*whole_value(METRIC_STATUS_THP_ENABLED) = 0;
	assert_true(whole_breaks(rule, "THPeligible of (anonymous)"));
	/* Up to 4.20 status has no THP_enabled. */
	*known = false;
	assert_whole_agrees();
}

TEST(only_hugetlb_has_a_larger_KernelPageSize)
{
	static const enum rule_id rule = RULE_MAPPING_KERNEL_PAGE;

	*smaps_of(MADE_HUGETLB, METRIC_SMAPS_KERNELPAGESIZE) = 2048;
	assert_false(whole_breaks(rule, NULL));
	*smaps_of(MADE_HUGE, METRIC_SMAPS_KERNELPAGESIZE) = 2048;
	assert_true(whole_breaks(rule, "KernelPageSize of (anonymous)"));
}

/* Up to 5.19 the field is absent, which does not mean 0. */
TEST(an_absent_Pss_Dirty_is_not_zero)
{
	struct mapping *heap = mapping_of(MADE_HEAP);

	*smaps_of(MADE_HEAP, METRIC_SMAPS_PSS_DIRTY) = 0;
	assert_true(whole_breaks(RULE_MAPPING_PSS_DIRTY, NULL));
	heap->smaps_have &= ~(1ULL << (METRIC_SMAPS_PSS_DIRTY - METRIC_SMAPS_FIRST));
	assert_whole_agrees();
}

/*
 * Before 6.11 page cache that a PMD maps had no bit 61. This is excused without PAGEMAP_SCAN. From
 * 6.11 to 7.2 the huge zero page has bit 61, too.
 */
TEST(bit_61_of_huge_pages_may_be_set_or_not)
{
	static const enum rule_id rule = RULE_MAPPING_FILE_BIT;
	static const struct {
		enum made_name where;
		int64_t allowed;
	} rows[] = { { MADE_HUGE_FILE, -512 }, { MADE_HUGE_SHMEM, -512 }, { MADE_ANON, 6 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct mapping *where = mapping_of(rows[i].where);
		int64_t *bits = &where->pagemap.file_bit;

		*bits += rows[i].allowed;
		assert_int_equal(whole_breaks(rule, NULL), rows[i].allowed < 0);
		where->scan.scanned = false;
		assert_false(whole_breaks(rule, NULL));
		*bits += rows[i].allowed < 0 ? -1 : 1;
		assert_true(whole_breaks(rule, "bit 61"));
		whole_again();
	}
}

TEST(guards_are_compared_if_both_walkers_report_them)
{
	bool *tells = &whole->t.moments[0].of[0]->values.have[METRIC_SCAN_GUARD];

	mapping_of(MADE_ANON)->scan.guards = 0;
	assert_true(whole_breaks(RULE_MAPPING_SCAN_GUARD, "PAGEMAP_SCAN guard"));
	*tells = false;
	assert_whole_agrees();
}

/* Without userfaultfd every page counts as written, or from 7.3 on none does. */
TEST(written_pages_are_those_that_userfaultfd_does_not_protect)
{
	static const enum rule_id rule = RULE_MAPPING_SCAN_WRITTEN;
	struct mapping *heap = mapping_of(MADE_HEAP);

	heap->scan.written--;
	assert_true(whole_breaks(rule, NULL));
	heap->scan.written = 0;
	assert_false(whole_breaks(rule, NULL));
	heap->flags = "rd wr mr mw me ac uw";
	assert_true(whole_breaks(rule, "PAGEMAP_SCAN written"));
	heap->pagemap.uffd_wp = 20;
	assert_false(whole_breaks(rule, NULL));
}

TEST(only_a_registered_mapping_may_have_uffd_wp)
{
	static const enum rule_id rule = RULE_MAPPING_UFFD_WP;
	struct mapping *heap = mapping_of(MADE_HEAP);

	heap->flags = "rd wr mr mw me ac uw";
	heap->pagemap.uffd_wp = 20;
	assert_false(whole_breaks(rule, NULL));
	heap->flags = "rd wr mr mw me ac";
	assert_true(whole_breaks(rule, "bit 57"));
}

/* If smaps could not be read, the mappings come from maps, and there is nothing to compare. */
TEST(mappings_without_smaps_are_not_judged)
{
	mapping_of(MADE_HEAP)->smaps_have = 0;
	mapping_of(MADE_HEAP)->pagemap.of[CLASS_ANON] += 1;
	assert_whole_agrees();
}

TESTS_EACH(whole_begin, whole_end);
