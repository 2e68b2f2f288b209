// SPDX-License-Identifier: MIT
/* The table of exceptions: each a fact about kernels, with its condition on what was read. */
#include "exception.h"
#include "agent/verbs/verbs.h"
#include <stdlib.h>
#include <string.h>

static int64_t pages(const struct asked *a, enum metric_id id)
{
	int64_t n = snapshot_pages(a->s, id, a->l->host->page_size);

	return n > 0 ? n : 0;
}

/* Without PFNs a marker is what pagemap calls swapped and smaps does not. */
static int64_t markers(const struct asked *a)
{
	if (a->l->host->sees_pfns)
		return a->l->markers[a->process];
	return pages(a, METRIC_PAGEMAP_SWAP) - pages(a, METRIC_SMAPS_SWAP);
}

/* Pages of hugetlb mappings that userfaultfd watches: pagemap says nothing of what is marked. */
static int64_t hugetlb_markers(const struct asked *a)
{
	int64_t most = 0;

	for (size_t i = 0; a->s && i < a->s->nr_maps; i++)
		if (mapping_has_flag(&a->s->maps[i], "ht") &&
		    mapping_has_flag(&a->s->maps[i], "uw"))
			most += (int64_t)(a->s->maps[i].end - a->s->maps[i].start) /
				a->l->host->page_size;
	return most;
}

static bool is_within(const struct asked *a, int64_t most)
{
	return most > 0 && llabs(a->more) <= most;
}

static bool is_scan_of_swap(const struct asked *a)
{
	return a->d->id == METRIC_SCAN_SWAPPED || a->d->rule == RULE_MAPPING_SCAN_SWAPPED;
}

static bool is_marker_of_scan(const struct asked *a)
{
	return is_scan_of_swap(a) && is_within(a, markers(a));
}

static bool is_marker_written(const struct asked *a)
{
	return (a->d->id == METRIC_SCAN_WRITTEN || a->d->rule == RULE_MAPPING_SCAN_WRITTEN) &&
	       is_within(a, markers(a) + a->l->guarded[a->process] + hugetlb_markers(a));
}

static bool is_marker_of_pagemap(const struct asked *a)
{
	return (a->d->id == METRIC_PAGEMAP_SWAP || a->d->id == METRIC_STATUS_VMSWAP) &&
	       is_within(a, markers(a));
}

static bool is_hugetlb_marker(const struct asked *a)
{
	return is_scan_of_swap(a) && a->more > 0 && a->more <= hugetlb_markers(a) + markers(a);
}

static bool is_hugetlb(const struct asked *a)
{
	for (size_t i = 0; a->d->rule == RULE_MAPPING_SCAN_SOFT_DIRTY && i < a->s->nr_maps; i++)
		if (mapping_has_flag(&a->s->maps[i], "ht") && strstr(a->d->metric, "anon_hugepage"))
			return true;
	return false;
}

static bool is_by_pmd(const struct asked *a)
{
	int64_t mapped = snapshot_huge_kb(a->s) * 1024 / a->l->host->page_size;

	return a->d->rule != RULE_MAPPING_PRIVATE_HUGETLB && is_within(a, mapped);
}

static bool is_no_access(const struct asked *a)
{
	int64_t left_out = 0;

	if (!a->s)
		return false;
	for (size_t i = 0; i < a->s->nr_maps; i++) {
		const struct mapping *m = &a->s->maps[i];

		if (!m->readable && !mapping_smaps(m, METRIC_SMAPS_RSS))
			left_out += m->pagemap.of[CLASS_ANON] + m->pagemap.of[CLASS_SHMEM];
	}
	return left_out && llabs(a->more) <= left_out;
}

static bool is_large_entry(const struct asked *a)
{
	enum metric_id id = a->d->id;

	if (id != METRIC_SMAPS_SWAP && id != METRIC_SMAPS_SWAPPSS && id != METRIC_ROLLUP_SWAP &&
	    id != METRIC_ROLLUP_SWAPPSS)
		return false;
	for (size_t i = 0; i < a->s->nr_maps; i++) {
		const struct mapping *m = &a->s->maps[i];

		if (m->inode &&
		    mapping_smaps(m, METRIC_SMAPS_SWAP) > (int64_t)(m->end - m->start) / 1024)
			return true;
	}
	return false;
}

/* To the page: what has been locked of sequences that use MREMAP_DONTUNMAP. */
static bool is_lost_lock(const struct asked *a)
{
	enum { MOST = 64 };
	int64_t huge = a->l->host->huge_page_size / a->l->host->page_size, most = 0;

	for (unsigned i = 0; i < a->b->nr; i++) {
		const struct sequence *s = &a->b->of[i];

		if (sequence_has(a->w, s, EFFECT_MOVE_PAGES) &&
		    (sequence_has(a->w, s, EFFECT_LOCK) ||
		     sequence_has(a->w, s, EFFECT_LOCK_LATER)))
			most += MOST + (a->w->kinds[s->kind].size ? 2 * huge : 0);
	}
	return a->d->id == METRIC_STATUS_VMLCK && most && a->more > 0 && a->more <= most;
}

static const struct {
	enum bug_id bug; /* BUG_NONE: no bug, but two readers of two things */
	bool (*is)(const struct asked *a);
	const char *words;
} rows[] = {
	{ BUG_SCAN_HUGETLB_MARKER, is_marker_of_scan,
	  "PAGEMAP_SCAN calls userfaultfd's markers swapped (FINDINGS 6, 28)" },
	{ BUG_SCAN_HUGETLB_MARKER, is_hugetlb_marker,
	  "PAGEMAP_SCAN calls a hugetlb page swapped that is only marked as protected (FINDINGS 28)" },
	{ BUG_SCAN_HUGETLB_MARKER, is_marker_written,
	  "PAGEMAP_SCAN counts userfaultfd's markers among what is written or protected" },
	{ BUG_SCAN_HUGETLB_MARKER, is_marker_of_pagemap,
	  "pagemap calls userfaultfd's markers swapped (FINDINGS 6)" },
	{ BUG_NONE, is_hugetlb,
	  "pagemap has the mapping's soft-dirty mark of hugetlb alone, PAGEMAP_SCAN the entries'" },
	{ BUG_EXCLUSIVE_FIRST_PAGE, is_by_pmd,
	  "the first page of a huge page decides whether all are exclusive (FINDINGS 26)" },
	{ BUG_SHMEM_SWAP_LARGE, is_large_entry,
	  "Swap of a part of a shmem file has all of a large swap entry in it (FINDINGS 40)" },
	{ BUG_DONTUNMAP_LOCKED, is_lost_lock,
	  "VmLck counts memory that MREMAP_DONTUNMAP has left unlocked (FINDINGS 24)" },
	{ BUG_PROT_NONE_HUGE, is_no_access,
	  "smaps leaves out a huge page that is PROT_NONE (FINDINGS 32)" },
};

_Static_assert(sizeof(rows) / sizeof(*rows) <= EXCEPTIONS_MAX, "room for how often each is met");

/* True if the rule names the bug, or the bug can break any. */
static bool is_of_rule(enum bug_id bug, enum rule_id rule)
{
	enum bug_id of;

	if (bug == BUG_NONE)
		return true;
	for (size_t i = 0; (of = rule_bug(rule, i)) != BUG_NONE; i++)
		if (of == bug)
			return true;
	return false;
}

int exception_of(const struct asked *a)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (is_of_rule(rows[i].bug, a->d->rule) && rows[i].is(a))
			return (int)i;
	return -1;
}

const char *exception_words(unsigned row)
{
	return row < sizeof(rows) / sizeof(*rows) ? rows[row].words : "";
}
