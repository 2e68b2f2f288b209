// SPDX-License-Identifier: MIT
/*
 * Lists known facts about kernels in rows[], each with a condition on the numbers that were read.
 */
#include "exception.h"
#include "agent/verbs/verbs.h"
#include <rssck/bug_id.h>
#include <stdlib.h>
#include <string.h>

static int64_t pages(const struct asked *a, enum metric_id id)
{
	int64_t n = snapshot_pages(a->s, id, a->l->host->page_size);

	return n > 0 ? n : 0;
}

/*
 * Returns the number of userfaultfd markers. If PFNs are hidden, it returns an upper bound: all
 * entries that pagemap reports as swapped and smaps does not count in Swap.
 */
static int64_t markers(const struct asked *a)
{
	if (a->l->host->sees_pfns)
		return a->l->markers[a->process];
	return pages(a, METRIC_PAGEMAP_SWAP) - pages(a, METRIC_SMAPS_SWAP);
}

/*
 * Returns how many base pages the hugetlb mappings registered with userfaultfd have. pagemap does
 * not show which of these pages are protected.
 */
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

	if (a->answers)
		return a->answers->run == verb_swap_ask && a->more > 0;
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

enum { LOST_PARTS = 16 };

/* The lock state of a sequence's memory, updated act by act. */
struct locking {
	uint32_t pages; /* length of the region */
	bool stays;     /* secret memory cannot be unlocked */
	bool locked[ACT_REGION_PAGES + 64];
	bool edge[ACT_REGION_PAGES + 64]; /* an act began or ended at this address, so a mapping
					   * may begin or end here */
	uint32_t lost[LOST_PARTS];        /* pages that MREMAP_DONTUNMAP may have unlocked */
	unsigned nr_lost;
};

static void lock(struct locking *l, uint32_t from, uint32_t to, bool locked)
{
	for (uint32_t i = from; i < to && i < sizeof(l->locked); i++)
		l->locked[i] = locked;
}

/*
 * MREMAP_DONTUNMAP unlocks the whole mapping, including the part that it does not move. If other
 * acts have split the mapping, each part is a mapping of its own, unless the parts have merged
 * again. If MREMAP_DONTUNMAP moves pages to the addresses directly after their old ones, VmLck may
 * count them twice (BUG_DONTUNMAP_SELF_MERGE).
 */
static void lose_locks(struct locking *l, uint32_t from, uint32_t to, bool beside)
{
	uint32_t part = 0;

	while (from && l->locked[from] && l->locked[from - 1])
		from--;
	while (to < sizeof(l->locked) && l->locked[to] && l->locked[to - 1])
		to++;
	for (uint32_t i = from; i <= to && l->nr_lost + beside < LOST_PARTS; i++) {
		if (part && (i == to || l->edge[i] || !l->locked[i])) {
			l->lost[l->nr_lost++] = part;
			if (beside)
				l->lost[l->nr_lost++] = part;
			part = 0;
		}
		part += i < to && l->locked[i];
	}
	lock(l, from, to, false);
}

static void follow_lock(struct locking *l, const struct act *a, bool whole)
{
	uint32_t from = whole ? 0 : a->first, to = from + (whole && l->pages ? l->pages : a->pages);

	if (to > ACT_REGION_PAGES || verbs[a->verb].run == verb_mmap_beside)
		return;
	l->edge[from] = l->edge[to] = true;
	switch (verbs[a->verb].effect) {
	case EFFECT_MAP:
		l->pages = a->first + a->pages;
		l->stays = verbs[a->verb].run == verb_mmap_secret;
		lock(l, from, to, l->stays);
		break;
	case EFFECT_GROW:
		lock(l, l->pages, l->pages + act_growth(a), l->pages && l->locked[l->pages - 1]);
		l->pages += act_growth(a);
		break;
	case EFFECT_LOCK:
	case EFFECT_LOCK_LATER:
		lock(l, from, to, true);
		break;
	case EFFECT_UNLOCK:
		lock(l, from, to, l->stays);
		break;
	case EFFECT_MOVE_PAGES:
		lose_locks(l, from, to, act_is_beside(a));
		break;
	default:
		break;
	}
}

static void follow_locks(struct locking *l, const struct words *w, const struct sequence *s)
{
	*l = (struct locking) { .pages = 0 };
	for (unsigned at = AT_KIND; at < AT_COUNT; at++) {
		const struct side_turn *t = sequence_turn(w, s, (enum moment_of)at);

		for (unsigned i = 0; t && at != AT_EVENT && i < t->nr; i++)
			follow_lock(l, &t->acts[i], t->whole[i]);
	}
}

/*
 * True if VmLck is too high by exactly the pages that some of the sequences can have unlocked. An
 * act may fail, so not every sequence unlocks its pages.
 */
static bool is_lost_lock(const struct asked *a)
{
	enum { MOST = 1 << 15 };
	static bool can_be[MOST + 1];
	static struct locking l;
	int64_t most = 0;

	if (a->d->id != METRIC_STATUS_VMLCK || a->more <= 0 || a->more > MOST)
		return false;
	memset(can_be, 0, sizeof(can_be));
	can_be[0] = true;
	for (unsigned i = 0; i < a->b->nr; i++) {
		follow_locks(&l, a->w, &a->b->of[i]);
		for (unsigned k = 0; k < l.nr_lost; k++) {
			most = most + l.lost[k] < MOST ? most + l.lost[k] : MOST;
			for (int64_t n = most; n >= l.lost[k]; n--)
				can_be[n] |= can_be[n - l.lost[k]];
		}
	}
	/*
	 * For RULE_EXCEEDS, VmLck exceeds the address space by at most the pages that the sequences
	 * can have unlocked.
	 */
	return a->d->rule == RULE_EXCEEDS ? a->more <= most : can_be[a->more];
}

/* True if every page that only the query for one category finds has an empty entry. */
static bool is_empty_written(const struct asked *a)
{
	return a->d->rule == RULE_SCAN_ALONE && a->d->id == METRIC_SCAN_WRITTEN &&
	       a->l->empty == a->d->counter;
}

static bool moves_a_part(const struct words *w, const struct sequence *s)
{
	for (unsigned i = 0; i < s->length; i++) {
		const struct act *act = s->act[i] == NO_WORD
						? NULL
						: &w->acts[s->act[i]].turn[SIZE_HUGETLB].acts[0];

		if (act && act->first && verbs[act->verb].effect == EFFECT_MOVE)
			return w->kinds[s->kind].size == SIZE_HUGETLB;
	}
	return false;
}

/*
 * Each sequence for which moves_a_part() is true can leave behind up to HUGETLB_EACH reserved huge
 * pages.
 */
static bool is_reservation(const struct asked *a)
{
	int64_t most = 0;

	if (a->d->rule != RULE_RESERVED)
		return false;
	for (unsigned i = 0; i < a->b->nr; i++)
		most += moves_a_part(a->w, &a->b->of[i]) ? HUGETLB_EACH : 0;
	return a->d->counter > a->d->precise && a->d->counter - a->d->precise <= most;
}

/* Returns how many pages the mappings have that MREMAP_DONTUNMAP leaves: a region at each act. */
static int64_t left_by_moves(const struct words *w, const struct sequence *s)
{
	int64_t region = w->kinds[s->kind].turn.acts[0].pages, pages = 0;

	for (unsigned at = AT_KIND; at < AT_COUNT; at++) {
		const struct side_turn *t = sequence_turn(w, s, (enum moment_of)at);

		for (unsigned i = 0; t && i < t->nr; i++) {
			enum effect effect = verbs[t->acts[i].verb].effect;

			region += effect == EFFECT_GROW ? act_growth(&t->acts[i]) : 0;
			pages += effect == EFFECT_MOVE_PAGES ? region : 0;
		}
	}
	return pages;
}

static bool is_left_charged(const struct asked *a)
{
	int64_t most = 0;

	if (a->d->rule != RULE_COMMITTED)
		return false;
	for (unsigned i = 0; i < a->b->nr; i++)
		most += left_by_moves(a->w, &a->b->of[i]);
	return a->more > 0 && a->more <= most;
}

/*
 * A sequence may move a part of a watched region to the addresses directly after that part. Returns
 * how many watched pages then stay in place: those before the part, and those after its new place;
 * 0 if the sequence does not move a part.
 */
static int64_t pages_beside(const struct words *w, const struct sequence *s)
{
	enum word_size size = w->kinds[s->kind].size;
	unsigned leads_to = w->kinds[s->kind].leads_to;
	int64_t all = w->kinds[s->kind].turn.acts[0].pages;

	for (unsigned i = 0; i < s->length; i++) {
		const struct word *word = s->act[i] == NO_WORD ? NULL : &w->acts[s->act[i]];
		const struct act *act = word ? &word->turn[size].acts[0] : NULL;

		if (act && leads_to >> AFTER_WATCH & 1 && act_is_beside(act)) {
			int64_t behind = all - act->first - 2 * (int64_t)act->pages;

			return act->first + (behind > 0 ? behind : 0);
		}
		leads_to |= word ? word->leads_to : 0;
	}
	return 0;
}

/*
 * Pages may have lost their userfaultfd registration: at most as many as pages_beside() returns for
 * one sequence.
 */
static bool is_lost_watch(const struct asked *a)
{
	int64_t most = 0;

	for (unsigned i = 0; a->d->rule == RULE_MAPPING_UFFD_WP && i < a->b->nr; i++) {
		int64_t pages = pages_beside(a->w, &a->b->of[i]);

		most = pages > most ? pages : most;
	}
	return a->more > 0 && a->more <= most;
}

static bool is_inherited(const struct asked *a)
{
	return a->d->rule == RULE_KSM_MERGING && a->process == 1;
}

static const struct {
	enum bug_id bug; /* BUG_NONE if it is no bug: the two numbers have different meanings */
	bool (*is)(const struct asked *a);
	const char *words;
} rows[] = {
	{ BUG_SCAN_HUGETLB_MARKER, is_marker_of_scan,
	  "PAGEMAP_SCAN reports userfaultfd's markers as swapped (FINDINGS 6, 28)" },
	{ BUG_SCAN_HUGETLB_MARKER, is_hugetlb_marker,
	  "PAGEMAP_SCAN reports a hugetlb page that has only a uffd-wp marker as swapped (FINDINGS 28)" },
	{ BUG_SCAN_HUGETLB_MARKER, is_marker_written,
	  "PAGEMAP_SCAN counts userfaultfd's markers as written or protected" },
	{ BUG_SCAN_HUGETLB_MARKER, is_marker_of_pagemap,
	  "pagemap shows userfaultfd's markers as swapped (FINDINGS 6)" },
	{ BUG_NONE, is_hugetlb,
	  "for hugetlb, pagemap shows only the mapping's soft-dirty flag, PAGEMAP_SCAN that of the "
	  "entries" },
	{ BUG_EXCLUSIVE_FIRST_PAGE, is_by_pmd,
	  "the first page of a huge page decides whether all are exclusive (FINDINGS 26)" },
	{ BUG_SHMEM_SWAP_LARGE, is_large_entry,
	  "Swap of a part of a shmem file includes all of a large swap entry (FINDINGS 40)" },
	{ BUG_DONTUNMAP_LOCKED, is_lost_lock,
	  "VmLck counts memory that MREMAP_DONTUNMAP has left unlocked (FINDINGS 24)" },
	{ BUG_SCAN_WRITTEN_EMPTY, is_empty_written,
	  "PAGEMAP_SCAN reports an empty entry as written only if no other category is requested" },
	{ BUG_MREMAP_RESERVATION, is_reservation,
	  "mremap(2) of a part of untouched hugetlb memory leaves the reservation of the rest (FINDINGS 51)" },
	{ BUG_COMMIT_DONTUNMAP, is_left_charged,
	  "Committed_AS keeps what MREMAP_DONTUNMAP has left (FINDINGS 56)" },
	{ BUG_MREMAP_UNWATCHES, is_lost_watch,
	  "mremap(2) removes userfaultfd from memory beside which it moves a part (FINDINGS 45)" },
	{ BUG_KSM_FORK, is_inherited, "a child inherits its parent's KSM numbers" },
	{ BUG_PROT_NONE_HUGE, is_no_access,
	  "smaps leaves out a huge page that is PROT_NONE (FINDINGS 32)" },
};

_Static_assert(sizeof(rows) / sizeof(*rows) <= EXCEPTIONS_MAX, "room for a count of each");

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
