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

static bool is_marker(const struct asked *a)
{
	int64_t n = markers(a);

	if (strstr(a->number, "written"))
		return n + a->l->guarded[a->process] &&
		       llabs(a->more) <= n + a->l->guarded[a->process];
	return n > 0 && llabs(a->more) <= n;
}

/* What of hugetlb is marked, and not there: pagemap says nothing of it. */
static bool is_hugetlb_marker(const struct asked *a)
{
	int64_t most = 0;

	for (size_t i = 0; i < a->s->nr_maps; i++)
		if (mapping_has_flag(&a->s->maps[i], "ht") &&
		    mapping_has_flag(&a->s->maps[i], "uw"))
			most += (int64_t)(a->s->maps[i].end - a->s->maps[i].start) /
				a->l->host->page_size;
	return a->more > 0 && a->more <= most + markers(a);
}

static bool is_hugetlb(const struct asked *a)
{
	for (size_t i = 0; i < a->s->nr_maps; i++)
		if (mapping_has_flag(&a->s->maps[i], "ht") && strstr(a->number, "anon_hugepage"))
			return true;
	return false;
}

static bool is_by_pmd(const struct asked *a)
{
	int64_t mapped = pages(a, METRIC_SMAPS_ANONHUGEPAGES) +
			 pages(a, METRIC_SMAPS_SHMEMPMDMAPPED) +
			 pages(a, METRIC_SMAPS_FILEPMDMAPPED);

	return mapped && strstr(a->rule, "exclusive") && llabs(a->more) <= mapped;
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
	return most && a->more > 0 && a->more <= most;
}

static const struct {
	const char *begins; /* what the number's name begins with; "": any */
	bool (*is)(const struct asked *a);
	const char *words;
} rows[] = {
	{ "scan.swapped", is_marker,
	  "PAGEMAP_SCAN calls userfaultfd's markers swapped (FINDINGS 6, 28)" },
	{ "PAGEMAP_SCAN swapped of", is_marker,
	  "PAGEMAP_SCAN calls userfaultfd's markers swapped (FINDINGS 6, 28)" },
	{ "scan.swapped", is_hugetlb_marker,
	  "PAGEMAP_SCAN calls a hugetlb page swapped that is only marked as protected (FINDINGS 28)" },
	{ "PAGEMAP_SCAN swapped of", is_hugetlb_marker,
	  "PAGEMAP_SCAN calls a hugetlb page swapped that is only marked as protected (FINDINGS 28)" },
	{ "scan.written", is_marker,
	  "PAGEMAP_SCAN counts userfaultfd's markers among what is written or protected" },
	{ "PAGEMAP_SCAN written of", is_marker,
	  "PAGEMAP_SCAN counts userfaultfd's markers among what is written or protected" },
	{ "pagemap.swap", is_marker, "pagemap calls userfaultfd's markers swapped (FINDINGS 6)" },
	{ "status.VmSwap", is_marker, "pagemap calls userfaultfd's markers swapped (FINDINGS 6)" },
	{ "PAGEMAP_SCAN soft-dirty of", is_hugetlb,
	  "pagemap has the mapping's soft-dirty mark of hugetlb alone, PAGEMAP_SCAN the entries'" },
	{ "kpagecount.once", is_by_pmd,
	  "the first page of a huge page decides whether all are exclusive (FINDINGS 26)" },
	{ "Private of", is_by_pmd,
	  "the first page of a huge page decides whether all are exclusive (FINDINGS 26)" },
	{ "smaps.Swap", is_large_entry,
	  "Swap of a part of a shmem file has all of a large swap entry in it (FINDINGS 40)" },
	{ "smaps_rollup.Swap", is_large_entry,
	  "Swap of a part of a shmem file has all of a large swap entry in it (FINDINGS 40)" },
	{ "status.VmLck", is_lost_lock,
	  "VmLck counts memory that MREMAP_DONTUNMAP has left unlocked (FINDINGS 24)" },
	{ "", is_no_access, "smaps leaves out a huge page that is PROT_NONE (FINDINGS 32)" },
};

_Static_assert(sizeof(rows) / sizeof(*rows) <= EXCEPTIONS_MAX, "room for how often each is met");

int exception_of(const struct asked *a)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strncmp(a->number, rows[i].begins, strlen(rows[i].begins)) && rows[i].is(a))
			return (int)i;
	return -1;
}

const char *exception_words(unsigned row)
{
	return row < sizeof(rows) / sizeof(*rows) ? rows[row].words : "";
}
