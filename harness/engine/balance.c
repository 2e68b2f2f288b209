// SPDX-License-Identifier: MIT
#include "balance.h"
#include "base/kernel_file.h"
#include "base/memory.h"
#include <inttypes.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { READINGS = 16, AGREE = 5, PAUSE_NS = 2000000 };

static const char *const sums[NR_BALANCE_SUMS] = {
	/*
	 * mm/page_alloc.c rmqueue() counts pgalloc_*, free_frozen_page_commit() and
	 * __free_pages_ok() count pgfree. Pages on the lists of CPUs are not in nr_free_pages.
	 */
	[BALANCE_PAGES] = "pgalloc_* - pgfree + all free pages",
	/* mm/page_alloc.c zone_statistics() */
	[BALANCE_NUMA] = "numa_hit + numa_miss - numa_local - numa_other",
	[BALANCE_FOREIGN] = "numa_miss - numa_foreign",
	/* mm/page_alloc.c __alloc_pages_direct_compact() */
	[BALANCE_COMPACTIONS] = "compact_stall - compact_success - compact_fail",
};

/* The kernel prints pgalloc_* only for zones that its configuration has. */
static const struct term {
	const char *line; /* of /proc/vmstat */
	enum balance_sum sum;
	int sign;
	bool may_be_missing;
} terms[] = {
	{ "pgalloc_dma", BALANCE_PAGES, 1, true },
	{ "pgalloc_dma32", BALANCE_PAGES, 1, true },
	{ "pgalloc_normal", BALANCE_PAGES, 1, false },
	{ "pgalloc_high", BALANCE_PAGES, 1, true },
	{ "pgalloc_movable", BALANCE_PAGES, 1, false },
	{ "pgalloc_device", BALANCE_PAGES, 1, true },
	{ "pgfree", BALANCE_PAGES, -1, false },
	{ "numa_hit", BALANCE_NUMA, 1, false },
	{ "numa_miss", BALANCE_NUMA, 1, false },
	{ "numa_local", BALANCE_NUMA, -1, false },
	{ "numa_other", BALANCE_NUMA, -1, false },
	{ "numa_miss", BALANCE_FOREIGN, 1, false },
	{ "numa_foreign", BALANCE_FOREIGN, -1, false },
	{ "compact_stall", BALANCE_COMPACTIONS, 1, false },
	{ "compact_success", BALANCE_COMPACTIONS, -1, false },
	{ "compact_fail", BALANCE_COMPACTIONS, -1, false },
};

static void add_terms(struct balance *b, const char *vmstat)
{
	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		int64_t value = kernel_number_in(vmstat, terms[i].line, -1);

		if (value >= 0)
			b->of[terms[i].sum] += terms[i].sign * value;
		else if (!terms[i].may_be_missing)
			b->missing |= 1 << terms[i].sum;
	}
	b->compacted = kernel_number_in(vmstat, "compact_isolated", 0);
}

/* Adds up a number that each zone has, or each CPU's list of a zone. */
static int64_t sum_of(const char *zoneinfo, const char *word)
{
	int64_t sum = 0;

	for (const char *at = zoneinfo; (at = strstr(at, word)); at += strlen(word))
		sum += strtoll(at + strlen(word), NULL, 10);
	return sum;
}

/* Returns false if the files cannot be read. */
static bool read_once(struct balance *b, struct text *vmstat, struct text *zoneinfo)
{
	*b = (struct balance) { .known = true };
	if (!kernel_set("/proc/sys/vm/stat_refresh", "1") || text_read(vmstat, 0, "/proc/vmstat") ||
	    text_read(zoneinfo, 0, "/proc/zoneinfo"))
		return false;
	add_terms(b, vmstat->data);
	b->managed = sum_of(zoneinfo->data, " managed ");
	b->of[BALANCE_PAGES] += sum_of(zoneinfo->data, "pages free ") +
				sum_of(zoneinfo->data, " count: ");
	return true;
}

static bool are_equal(const struct balance *a, const struct balance *b)
{
	return !memcmp(a->of, b->of, sizeof(a->of)) && a->missing == b->missing &&
	       a->managed == b->managed;
}

struct balance *balance_read(const struct balance *before)
{
	struct text vmstat = { .data = NULL }, zoneinfo = { .data = NULL };
	struct balance *last = calloc(1, sizeof(*last)), now;
	int agree = 0;

	if (!last)
		memory_gone("the sums of the kernel's counters");
	for (int i = 0; i < READINGS && agree < AGREE; i++) {
		if (i)
			nanosleep(&(struct timespec) { .tv_nsec = PAUSE_NS }, NULL);
		if (!read_once(&now, &vmstat, &zoneinfo))
			break;
		agree = i && are_equal(last, &now) ? agree + 1 : 1;
		*last = now;
		if (before && before->known && are_equal(before, last))
			agree = AGREE;
	}
	text_free(&vmstat);
	text_free(&zoneinfo);
	last->known = agree >= AGREE;
	return last;
}

/*
 * Compaction takes pages from the lists of free pages and counts no allocation
 * (mm/compaction.c split_map_pages()).
 */
int64_t balance_change(const struct balance *before, const struct balance *now,
		       enum balance_sum sum)
{
	if (!before->known || !now->known || (before->missing | now->missing) & 1 << sum)
		return 0;
	if (sum == BALANCE_PAGES &&
	    (before->managed != now->managed || before->compacted != now->compacted))
		return 0;
	return now->of[sum] - before->of[sum];
}

void balance_say(enum balance_sum sum, int64_t change, char *why, size_t size)
{
	snprintf(why, size,
		 "each run of the case changes a sum that nothing may change (/proc/vmstat, "
		 "/proc/zoneinfo): %s, this time by %" PRId64,
		 sums[sum], change);
}
