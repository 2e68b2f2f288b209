// SPDX-License-Identifier: MIT
/* Counts page table entries by page frame, and compares them with mapcounts. */
#include "frames.h"
#include "base/memory.h"
#include "base/number.h"
#include <errno.h>
#include <linux/kernel-page-flags.h>
#include <rssck/pages.h>
#include <rssck/source.h>
#include <stdlib.h>

enum { AT_ONCE = 64 * 1024 };

#define DIGEST_PRIME 0x100000001b3ULL /* the prime of the FNV hash */

#define FLAG(bit)    (1ULL << (bit))

/*
 * For these pages kpagecount is not the number of page table entries. It may count the whole folio,
 * or nothing, or all merged pages together.
 */
#define APART                                                                 \
	(FLAG(KPF_COMPOUND_HEAD) | FLAG(KPF_COMPOUND_TAIL) | FLAG(KPF_HUGE) | \
	 FLAG(KPF_ZERO_PAGE) | FLAG(KPF_NOPAGE) | FLAG(KPF_KSM))

/*
 * Sorts the frames, merges equal ones, and counts the entries of each. Returns the number of
 * different frames.
 */
static size_t count_entries(uint64_t *pfns, uint32_t *entries, size_t nr)
{
	size_t n = 0;

	qsort(pfns, nr, sizeof(*pfns), number_order);
	for (size_t i = 0; i < nr; i++) {
		if (n && pfns[n - 1] == pfns[i]) {
			entries[n - 1]++;
			continue;
		}
		pfns[n] = pfns[i];
		entries[n++] = 1;
	}
	return n;
}

static void compare(struct frames_found *found, uint64_t flags, uint64_t mapcount, uint32_t entries)
{
	if (flags & APART || !(flags & FLAG(KPF_MMAP))) {
		found->others++;
		return;
	}
	found->compared++;
	if (entries > mapcount)
		found->mapped_more++;
	else if (flags & FLAG(KPF_ANON) && entries < mapcount)
		found->lost++;
}

static int compare_all(const uint64_t *pfns, const uint32_t *entries, size_t nr,
		       const struct host *h, struct frames_found *found)
{
	uint64_t *words = malloc(2 * AT_ONCE * sizeof(*words));
	int error = words ? 0 : -ENOMEM;

	for (size_t i = 0; i < nr && !error; i += AT_ONCE) {
		size_t n = nr - i < AT_ONCE ? nr - i : AT_ONCE;

		error = kpage_words(h->kpageflags, pfns + i, n, FLAG(KPF_NOPAGE), words);
		if (!error)
			error = kpage_words(h->kpagecount, pfns + i, n, 0, words + AT_ONCE);
		for (size_t k = 0; k < n && !error; k++)
			compare(found, words[k], words[AT_ONCE + k], entries[i + k]);
	}
	free(words);
	return error ? -1 : 0;
}

static uint64_t digest(struct snapshot *const *s, size_t nr)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < s[i]->nr_pages; k++)
			sum = (sum ^ s[i]->pages[k].pfn ^ s[i]->pages[k].address) * DIGEST_PRIME;
	return sum;
}

/* Collects the pages again. If a page has moved meanwhile, a difference is not certain. */
static int look_for_moves(struct snapshot *const *s, size_t nr, const struct host *h,
			  struct frames_found *found)
{
	uint64_t before = digest(s, nr);

	for (size_t i = 0; i < nr; i++)
		if (pages_collect(s[i], h))
			return -1;
	found->moved = digest(s, nr) != before;
	return 0;
}

uint64_t *frames_of(struct snapshot *const *s, size_t nr, size_t *n)
{
	size_t all = 0;
	uint64_t *pfns;

	for (size_t i = 0; i < nr; i++)
		all += s[i]->nr_pages;
	pfns = malloc((all + 1) * sizeof(*pfns));
	if (!pfns)
		memory_gone("the page frames of a program");
	*n = 0;
	for (size_t i = 0; i < nr; i++)
		for (size_t k = 0; k < s[i]->nr_pages; k++)
			pfns[(*n)++] = s[i]->pages[k].pfn;
	return pfns;
}

int frames_compare(struct snapshot *const *s, size_t nr, const struct host *h,
		   struct frames_found *found)
{
	uint64_t *pfns;
	uint32_t *entries;
	int failed;
	size_t n;

	*found = (struct frames_found) { .compared = 0 };
	for (size_t i = 0; i < nr; i++)
		if (pages_collect(s[i], h))
			return -1;
	pfns = frames_of(s, nr, &n);
	entries = malloc((n + 1) * sizeof(*entries));
	if (!entries)
		memory_gone("the page frames of a program");
	failed = compare_all(pfns, entries, count_entries(pfns, entries, n), h, found);
	free(pfns);
	free(entries);
	if (!failed && (found->mapped_more || found->lost))
		failed = look_for_moves(s, nr, h, found);
	return failed;
}
