// SPDX-License-Identifier: MIT
/*
 * The rules for each mapping: each field of one mapping, and each total of the address space, is
 * made wrong by a page.
 */
#include "judge/judge.h"
#include "tests/support/made_trial.h"
#include "tests/support/test.h"

static struct mapping *mapping_of(struct made_trial *m, enum made_name where)
{
	return &m->t.moments[0].of[0]->maps[where];
}

static bool judged_broken(struct made_trial *m, enum rule_id rule, const char *what)
{
	OWNED(judgement_free) struct judgement j = { 0 };
	bool found;

	judge_invariants(&m->t, 0, 0, &j);
	found = made_find(&j, rule, what) != NULL;
	return found;
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
		struct made_trial *m = whole_process();

		mapping_of(m, fields[i].where)
			->smaps[fields[i].field - METRIC_SMAPS_FIRST] += fields[i].kb;
		if (!judged_broken(m, fields[i].rule, fields[i].what))
			fail_msg(
				"row %zu: %s of mapping %d, off by %lld kB: \"%s\" did not find it",
				i, metric(fields[i].field)->name, fields[i].where,
				(long long)fields[i].kb, rule(fields[i].rule)->name);
		made_trial_free(m);
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
			struct made_trial *m = whole_process();

			*(int64_t *)((char *)mapping_of(m, counts[i].where) +
				     counts[i].place) += pages;
			if (!judged_broken(m, counts[i].rule, counts[i].what))
				fail_msg("row %zu, %+d page: \"%s\" did not find it", i, pages,
					 rule(counts[i].rule)->name);
			made_trial_free(m);
		}
	}
}

static void assert_told(int64_t kb, int64_t off, const char *unit)
{
	OWNED(made_trial_end) struct made_trial *m = whole_process();
	OWNED(judgement_free) struct judgement j = { 0 };
	const struct discrepancy *d;

	mapping_of(m, MADE_HEAP)->smaps[METRIC_SMAPS_RSS - METRIC_SMAPS_FIRST] += kb;
	judge_invariants(&m->t, 0, 0, &j);
	d = made_find(&j, RULE_MAPPING_RSS_PARTS, "Rss of [heap]");
	assert_non_null(d);
	assert_int_equal(d->counter - d->precise, off);
	assert_string_equal(d->unit, unit);
}

TEST(an_error_of_whole_pages_is_reported_in_pages)
{
	assert_told(2 * PAGE_KB, 2, "pages");
	assert_told(PAGE_KB + 1, PAGE_KB + 1, "kB");
}

/* The errors in two mappings cancel out, so every sum is right. */
TEST(an_error_cannot_hide_in_a_sum)
{
	OWNED(made_trial_end) struct made_trial *m = whole_process();

	mapping_of(m, MADE_HEAP)->smaps[METRIC_SMAPS_RSS - METRIC_SMAPS_FIRST] += PAGE_KB;
	mapping_of(m, MADE_HEAP)->smaps[METRIC_SMAPS_PRIVATE_DIRTY - METRIC_SMAPS_FIRST] += PAGE_KB;
	mapping_of(m, MADE_STACK)->smaps[METRIC_SMAPS_RSS - METRIC_SMAPS_FIRST] -= PAGE_KB;
	mapping_of(m, MADE_STACK)
		->smaps[METRIC_SMAPS_PRIVATE_DIRTY - METRIC_SMAPS_FIRST] -= PAGE_KB;
	assert_true(judged_broken(m, RULE_MAPPING_RSS, "Rss of [heap]"));
	assert_true(judged_broken(m, RULE_MAPPING_RSS, "Rss of [stack]"));
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
		struct made_trial *m = whole_process();

		mapping_of(m, totals[i].where)->end += PAGE_BYTES;
		assert_true(judged_broken(m, totals[i].rule, NULL));
		made_trial_free(m);
		m = whole_process();
		*made_value(m, 0, totals[i].id) -= PAGE_KB;
		assert_true(judged_broken(m, totals[i].rule, NULL));
		made_trial_free(m);
	}
}

/* Mappings with only anonymous pages give a lower bound, mappings with shared pages a range. */
TEST(Pss_Anon_is_within_the_range_that_the_mappings_allow)
{
	OWNED(made_trial_end) struct made_trial *m = whole_process();
	/* Only DATA has pages of several classes: 16 of its 22 kB are anonymous. */
	int64_t sure = *made_value(m, 0, METRIC_ROLLUP_PSS_ANON) - 4 * PAGE_KB;
	static const enum rule_id rule = RULE_PSS_ANON;

	*made_value(m, 0, METRIC_ROLLUP_PSS_ANON) = sure;
	assert_false(judged_broken(m, rule, NULL));
	*made_value(m, 0, METRIC_ROLLUP_PSS_ANON) = sure - 1;
	assert_true(judged_broken(m, rule, NULL));
	/* Each of the six mappings with anonymous pages may be rounded by a kB. */
	*made_value(m, 0, METRIC_ROLLUP_PSS_ANON) = sure + 4 * PAGE_KB + 6;
	assert_false(judged_broken(m, rule, NULL));
	*made_value(m, 0, METRIC_ROLLUP_PSS_ANON) = sure + 4 * PAGE_KB + 7;
	assert_true(judged_broken(m, rule, NULL));
}

static void assert_still_sound(struct made_trial *m)
{
	OWNED(judgement_free) struct judgement j = { 0 };

	judge_invariants(&m->t, 0, 0, &j);
	assert_nothing_found(&j);
	made_trial_free(m);
}

TEST(mappings_that_were_not_walked_are_not_compared)
{
	struct made_trial *m = whole_process();

	mapping_of(m, MADE_RESERVED)->pagemap = (struct page_counts) { .walked = false };
	mapping_of(m, MADE_ANON)->pagemap.walked = false;
	mapping_of(m, MADE_ANON)->pagemap.of[CLASS_ANON] = 0;
	assert_still_sound(m);
	m = whole_process();
	mapping_of(m, MADE_ANON)->scan = (struct scan_counts) { .scanned = false };
	assert_still_sound(m);
}

/* Without PFNs and without PAGEMAP_SCAN a zero page looks like an anonymous page. */
TEST(unrecognised_zero_pages_are_not_compared_with_smaps)
{
	struct made_trial *m = whole_process();
	struct page_counts *p = &mapping_of(m, MADE_ANON)->pagemap;

	p->zero_known = false;
	p->of[CLASS_ANON] += p->of[CLASS_ZERO];
	p->of[CLASS_ZERO] = 0;
	mapping_of(m, MADE_ANON)->scan.scanned = false;
	assert_still_sound(m);
}

TEST(the_gate_page_is_in_no_sum)
{
	struct made_trial *m = whole_process();

	mapping_of(m, MADE_GATE)->end += 7 * PAGE_BYTES;
	mapping_of(m, MADE_GATE)->smaps[METRIC_SMAPS_RSS - METRIC_SMAPS_FIRST] = PAGE_KB;
	assert_still_sound(m);
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
			struct made_trial *m = whole_process();
			struct mapping *at = mapping_of(m, others[i].where);

			*(int64_t *)((char *)at + others[i].place) += pages;
			if (!judged_broken(m, others[i].rule, others[i].what))
				fail_msg("row %zu, %+d page: \"%s\" did not find it", i, pages,
					 rule(others[i].rule)->name);
			at->numa_read = at->frames_read = false;
			assert_still_sound(m);
		}
	}
}

/* No page of this private mapping is shared. Two pages are LazyFree, and dirty ones may be. */
TEST(LazyFree_equals_the_frames_without_SWAPBACKED)
{
	static const enum rule_id rule = RULE_MAPPING_LAZYFREE;
	OWNED(made_trial_end) struct made_trial *m = whole_process();
	struct mapping *anon = mapping_of(m, MADE_ANON);
	int64_t *lazy = &anon->smaps[METRIC_SMAPS_LAZYFREE - METRIC_SMAPS_FIRST];

	assert_int_equal(*lazy, 2 * PAGE_KB);
	*lazy += PAGE_KB;
	assert_true(judged_broken(m, rule, "LazyFree of (anonymous)"));
	*lazy -= PAGE_KB;
	anon->FRAMES(SWAPBACKED) = 0;
	assert_false(judged_broken(m, rule, NULL));
	*lazy -= PAGE_KB;
	assert_true(judged_broken(m, rule, "LazyFree of (anonymous)"));
	anon->frames_read = false;
	assert_false(judged_broken(m, rule, NULL));
	anon->frames_read = true;
	anon->smaps_have &= ~(1ULL << (METRIC_SMAPS_LAZYFREE - METRIC_SMAPS_FIRST));
	assert_false(judged_broken(m, rule, NULL));
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

/* Each permission is tried in a mapping that has it and in one that does not. */
TEST(VmFlags_agree_with_the_permissions)
{
	static const enum made_name both[] = { MADE_TEXT, MADE_SHMEM };
	static const char rights[] = "rwxs";
	static const char *const flags[] = { "rd", "wr", "ex", "ms" };
	static const enum rule_id rule = RULE_MAPPING_FLAGS;

	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k < 2; k++) {
			struct made_trial *m = whole_process();
			bool *right = right_of(mapping_of(m, both[k]), rights[i]);

			*right = !*right;
			if (!judged_broken(m, rule, flags[i]))
				fail_msg("'%c' of %s is not held against VmFlags", rights[i],
					 mapping_of(m, both[k])->name);
			made_trial_free(m);
		}
	}
}

/* smaps has VmFlags since 3.8. Without them there is nothing to compare. */
TEST(a_mapping_without_VmFlags_is_not_compared_with_them)
{
	struct made_trial *m = whole_process();

	mapping_of(m, MADE_HEAP)->flags = "";
	mapping_of(m, MADE_HEAP)->smaps[METRIC_SMAPS_KERNELPAGESIZE - METRIC_SMAPS_FIRST] *= 512;
	mapping_of(m, MADE_HEAP)->smaps[METRIC_SMAPS_LOCKED - METRIC_SMAPS_FIRST] = PAGE_KB;
	assert_still_sound(m);
}

TEST(THPeligible_is_0_if_the_process_disabled_THP)
{
	struct made_trial *m = whole_process();
	static const enum rule_id rule = RULE_MAPPING_ELIGIBLE;
	bool *known = &m->t.moments[0].of[0]->values.have[METRIC_STATUS_THP_ENABLED];

	mapping_of(m, MADE_ANON)->smaps[METRIC_SMAPS_THPELIGIBLE - METRIC_SMAPS_FIRST] = 1;
	assert_false(judged_broken(m, rule, NULL));
	*made_value(m, 0, METRIC_STATUS_THP_ENABLED) = 0;
	assert_true(judged_broken(m, rule, "THPeligible of (anonymous)"));
	/* Up to 4.20 status has no THP_enabled. */
	*known = false;
	assert_still_sound(m);
}

TEST(only_hugetlb_has_a_larger_KernelPageSize)
{
	OWNED(made_trial_end) struct made_trial *m = whole_process();
	static const enum rule_id rule = RULE_MAPPING_KERNEL_PAGE;

	mapping_of(m, MADE_HUGETLB)->smaps[METRIC_SMAPS_KERNELPAGESIZE - METRIC_SMAPS_FIRST] = 2048;
	assert_false(judged_broken(m, rule, NULL));
	mapping_of(m, MADE_HUGE)->smaps[METRIC_SMAPS_KERNELPAGESIZE - METRIC_SMAPS_FIRST] = 2048;
	assert_true(judged_broken(m, rule, "KernelPageSize of (anonymous)"));
}

/* Up to 5.19 the field is absent, which does not mean 0. */
TEST(an_absent_Pss_Dirty_is_not_zero)
{
	struct made_trial *m = whole_process();
	struct mapping *heap = mapping_of(m, MADE_HEAP);

	heap->smaps[METRIC_SMAPS_PSS_DIRTY - METRIC_SMAPS_FIRST] = 0;
	assert_true(judged_broken(m, RULE_MAPPING_PSS_DIRTY, NULL));
	heap->smaps_have &= ~(1ULL << (METRIC_SMAPS_PSS_DIRTY - METRIC_SMAPS_FIRST));
	assert_still_sound(m);
}

/*
 * Before 6.11 pages that a PMD maps had no bit 61, and no PAGEMAP_SCAN could show it. The huge zero
 * page has had bit 61 since.
 */
TEST(bit_61_of_huge_pages_may_be_set_or_not)
{
	static const enum rule_id rule = RULE_MAPPING_FILE_BIT;
	static const struct {
		enum made_name where;
		int64_t allowed;
	} rows[] = { { MADE_HUGE_FILE, -512 }, { MADE_HUGE_SHMEM, -512 }, { MADE_ANON, 6 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct made_trial *m = whole_process();
		struct mapping *where = mapping_of(m, rows[i].where);
		int64_t *bits = &where->pagemap.file_bit;

		*bits += rows[i].allowed;
		assert_int_equal(judged_broken(m, rule, NULL), rows[i].allowed < 0);
		where->scan.scanned = false;
		assert_false(judged_broken(m, rule, NULL));
		*bits += rows[i].allowed < 0 ? -1 : 1;
		assert_true(judged_broken(m, rule, "bit 61"));
		made_trial_free(m);
	}
}

TEST(guards_are_compared_if_both_walkers_report_them)
{
	struct made_trial *m = whole_process();
	bool *tells = &m->t.moments[0].of[0]->values.have[METRIC_SCAN_GUARD];

	mapping_of(m, MADE_ANON)->scan.guards = 0;
	assert_true(judged_broken(m, RULE_MAPPING_SCAN_GUARD, "PAGEMAP_SCAN guard"));
	*tells = false;
	assert_still_sound(m);
}

/* Without userfaultfd every page counts as written, or from 7.3 on none does. */
TEST(written_pages_are_those_that_userfaultfd_does_not_protect)
{
	static const enum rule_id rule = RULE_MAPPING_SCAN_WRITTEN;
	OWNED(made_trial_end) struct made_trial *m = whole_process();
	struct mapping *heap = mapping_of(m, MADE_HEAP);

	heap->scan.written--;
	assert_true(judged_broken(m, rule, NULL));
	heap->scan.written = 0;
	assert_false(judged_broken(m, rule, NULL));
	heap->flags = "rd wr mr mw me ac uw";
	assert_true(judged_broken(m, rule, "PAGEMAP_SCAN written"));
	heap->pagemap.uffd_wp = 20;
	assert_false(judged_broken(m, rule, NULL));
}

TEST(only_a_registered_mapping_may_have_uffd_wp)
{
	static const enum rule_id rule = RULE_MAPPING_UFFD_WP;
	OWNED(made_trial_end) struct made_trial *m = whole_process();
	struct mapping *heap = mapping_of(m, MADE_HEAP);

	heap->flags = "rd wr mr mw me ac uw";
	heap->pagemap.uffd_wp = 20;
	assert_false(judged_broken(m, rule, NULL));
	heap->flags = "rd wr mr mw me ac";
	assert_true(judged_broken(m, rule, "bit 57"));
}

/* If smaps could not be read, the mappings come from maps, and there is nothing to compare. */
TEST(mappings_without_smaps_are_not_judged)
{
	struct made_trial *m = whole_process();

	mapping_of(m, MADE_HEAP)->smaps_have = 0;
	mapping_of(m, MADE_HEAP)->pagemap.of[CLASS_ANON] += 1;
	assert_still_sound(m);
}
