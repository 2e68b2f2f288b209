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

/* The files of one reading. */
struct files {
	struct text vmstat, zoneinfo;
};

static const char *const names[BALANCE_SUMS] = {
	/*
	 * mm/page_alloc.c rmqueue() counts pgalloc_*, free_frozen_page_commit() and
	 * __free_pages_ok() count pgfree. Pages on the lists of CPUs are not in nr_free_pages.
	 */
	[BALANCE_PAGES] = "pgalloc_* - pgfree + free pages",
	/* mm/page_alloc.c zone_statistics() */
	[BALANCE_PLACES] = "numa_hit + numa_miss - numa_local - numa_other",
	[BALANCE_FOREIGN] = "numa_miss - numa_foreign",
	/* mm/page_alloc.c __alloc_pages_direct_compact() */
	[BALANCE_COMPACTIONS] = "compact_stall - compact_success - compact_fail",
};

/* The kernel prints pgalloc_* only for zones that its configuration has. */
static const struct term {
	enum balance_id sum;
	const char *line;
	int sign;
	bool may_be_missing;
} terms[] = {
	{ BALANCE_PAGES, "pgalloc_dma", 1, true },
	{ BALANCE_PAGES, "pgalloc_dma32", 1, true },
	{ BALANCE_PAGES, "pgalloc_normal", 1, false },
	{ BALANCE_PAGES, "pgalloc_high", 1, true },
	{ BALANCE_PAGES, "pgalloc_movable", 1, false },
	{ BALANCE_PAGES, "pgalloc_device", 1, true },
	{ BALANCE_PAGES, "pgfree", -1, false },
	{ BALANCE_PLACES, "numa_hit", 1, false },
	{ BALANCE_PLACES, "numa_miss", 1, false },
	{ BALANCE_PLACES, "numa_local", -1, false },
	{ BALANCE_PLACES, "numa_other", -1, false },
	{ BALANCE_FOREIGN, "numa_miss", 1, false },
	{ BALANCE_FOREIGN, "numa_foreign", -1, false },
	{ BALANCE_COMPACTIONS, "compact_stall", 1, false },
	{ BALANCE_COMPACTIONS, "compact_success", -1, false },
	{ BALANCE_COMPACTIONS, "compact_fail", -1, false },
};

/* Adds up a number that each zone has, or each CPU's list of a zone. */
static int64_t sum_of(const char *zoneinfo, const char *word)
{
	int64_t sum = 0;

	for (const char *at = zoneinfo; (at = strstr(at, word)); at += strlen(word))
		sum += strtoll(at + strlen(word), NULL, 10);
	return sum;
}

/* A sum of which a line is missing does not count: the kernel has no such counters. */
static void add_terms(struct balance *b, const char *vmstat)
{
	for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++) {
		struct balance_sum *sum = &b->of[terms[i].sum];
		int64_t value = kernel_number_in(vmstat, terms[i].line, -1);

		if (value >= 0)
			sum->value += terms[i].sign * value;
		else if (!terms[i].may_be_missing)
			sum->missing = true;
	}
}

/* Returns false if the files cannot be read. */
static bool read_once(struct balance *b, struct files *f)
{
	*b = (struct balance) { .known = true };
	if (!kernel_set("/proc/sys/vm/stat_refresh", "1") ||
	    text_read(&f->vmstat, 0, "/proc/vmstat") ||
	    text_read(&f->zoneinfo, 0, "/proc/zoneinfo")) {
		b->known = false;
		return false;
	}
	add_terms(b, f->vmstat.data);
	b->of[BALANCE_PAGES].value += sum_of(f->zoneinfo.data, "pages free ") +
				      sum_of(f->zoneinfo.data, " count: ");
	b->managed = sum_of(f->zoneinfo.data, " managed ");
	b->compacted = kernel_number_in(f->vmstat.data, "compact_isolated", 0);
	return true;
}

/* Keeps a sum that has settled. Returns true if all have. */
static bool settle(struct balance *now, const struct balance *last, const struct balance *before)
{
	bool all = true;

	for (int i = 0; i < BALANCE_SUMS; i++) {
		struct balance_sum *sum = &now->of[i];

		sum->agreed = last->known && last->of[i].value == sum->value
				      ? last->of[i].agreed + 1
				      : 1;
		if (last->of[i].agreed >= AGREE)
			*sum = last->of[i];
		if (before && before->known) {
			sum->broken = before->of[i].broken;
			if (before->of[i].value == sum->value)
				sum->agreed = AGREE;
		}
		all = all && sum->agreed >= AGREE;
	}
	return all;
}

struct balance *balance_read(const struct balance *before)
{
	struct files f = { .vmstat = { .data = NULL } };
	struct balance *b = calloc(1, sizeof(*b)), last;
	bool more = true;

	if (!b)
		memory_gone("the sums of the kernel's counters");
	for (int i = 0; i < READINGS && more; i++) {
		if (i)
			nanosleep(&(struct timespec) { .tv_nsec = PAUSE_NS }, NULL);
		last = *b;
		more = read_once(b, &f) && !settle(b, &last, before);
	}
	text_free(&f.vmstat);
	text_free(&f.zoneinfo);
	return b;
}

/*
 * Compaction takes pages from the lists of free pages and counts no allocation
 * (mm/compaction.c split_map_pages()).
 */
int64_t balance_change(const struct balance *before, const struct balance *now, enum balance_id id)
{
	const struct balance_sum *a = &before->of[id], *b = &now->of[id];

	if (!before->known || !now->known || a->missing || b->missing || a->agreed < AGREE ||
	    b->agreed < AGREE)
		return 0;
	if (id == BALANCE_PAGES &&
	    (before->managed != now->managed || before->compacted != now->compacted))
		return 0;
	return b->value - a->value;
}

void balance_say(enum balance_id id, int64_t change, char *why, size_t size)
{
	snprintf(why, size,
		 "each run of the case changes a sum that nothing may change (/proc/vmstat, "
		 "/proc/zoneinfo): %s, this time by %" PRId64,
		 names[id], change);
}
