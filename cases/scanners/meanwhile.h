// SPDX-License-Identifier: MIT
/*
 * Reads the numbers of one mapping and of its process repeatedly while another process migrates the
 * pages or pages them out. Each number must stay between its values before and after, except those
 * that the act's table `allowed` lists.
 */
#ifndef MEANWHILE_H
#define MEANWHILE_H

#include "base/clock.h"
#include "base/kernel_file.h"
#include <rssck/case.h>

enum {
	MEANWHILE_PAGES = WORKLOAD_TO_AND_FRO,
	MEANWHILE_MOMENTS = 12,
	MEANWHILE_ACTS = 4,
	MEANWHILE_LIMIT_MS = 400
};

/*
 * The numbers, in pages. From SMAPS_FIRST on they are fields of the mapping in smaps, from
 * STATUS_FIRST on fields of status.
 */
enum reader {
	ENTRIES_EMPTY, /* entries with neither bit 63 (present) nor bit 62 (swap) */
	ENTRIES_SOFT_DIRTY,
	ENTRIES_UFFD_WP,
	ENTRIES_FILE,
	ENTRIES_EXCLUSIVE,
	ENTRIES_EXCLUSIVE_ABSENT, /* bit 56 (exclusive) without bit 63 (present) */
	SCAN_FOUND,               /* PAGE_IS_PRESENT or PAGE_IS_SWAPPED */
	CORE,
	SMAPS_HELD,    /* Rss + Swap */
	SMAPS_PRIVATE, /* Private_Dirty + Private_Clean */
	SMAPS_DIRTY,   /* Private_Dirty + Shared_Dirty */
	SMAPS_ALL,     /* SMAPS_DIRTY + Private_Clean + Shared_Clean */
	SMAPS_FIRST,
	SMAPS_RSS = SMAPS_FIRST,
	SMAPS_PSS,
	SMAPS_REFERENCED,
	SMAPS_ANONYMOUS,
	SMAPS_SWAP,
	SMAPS_LOCKED,
	SMAPS_PRIVATE_DIRTY,
	SMAPS_PRIVATE_CLEAN,
	SMAPS_SHARED_DIRTY,
	SMAPS_SHARED_CLEAN,
	STATUS_FIRST,
	STATUS_RSS = STATUS_FIRST,
	STATUS_ANON,
	STATUS_FILE,
	STATUS_SHMEM,
	STATUS_SWAP,
	STATUS_PTE,
	READERS
};

static const char *const reader_names[READERS] = {
	[ENTRIES_EMPTY] = "empty in pagemap",
	[ENTRIES_SOFT_DIRTY] = "soft-dirty in pagemap",
	[ENTRIES_UFFD_WP] = "uffd-wp in pagemap",
	[ENTRIES_FILE] = "file in pagemap",
	[ENTRIES_EXCLUSIVE] = "exclusive in pagemap",
	[ENTRIES_EXCLUSIVE_ABSENT] = "exclusive, but not present",
	[SCAN_FOUND] = "found by PAGEMAP_SCAN",
	[CORE] = "in core",
	[SMAPS_HELD] = "Rss + Swap",
	[SMAPS_PRIVATE] = "private in smaps",
	[SMAPS_DIRTY] = "dirty in smaps",
	[SMAPS_ALL] = "private and shared in smaps",
	[SMAPS_RSS] = "Rss",
	[SMAPS_PSS] = "Pss",
	[SMAPS_REFERENCED] = "Referenced",
	[SMAPS_ANONYMOUS] = "Anonymous",
	[SMAPS_SWAP] = "Swap",
	[SMAPS_LOCKED] = "Locked",
	[SMAPS_PRIVATE_DIRTY] = "Private_Dirty",
	[SMAPS_PRIVATE_CLEAN] = "Private_Clean",
	[SMAPS_SHARED_DIRTY] = "Shared_Dirty",
	[SMAPS_SHARED_CLEAN] = "Shared_Clean",
	[STATUS_RSS] = "VmRSS",
	[STATUS_ANON] = "RssAnon",
	[STATUS_FILE] = "RssFile",
	[STATUS_SHMEM] = "RssShmem",
	[STATUS_SWAP] = "VmSwap",
	[STATUS_PTE] = "VmPTE",
};

/*
 * Kinds of memory. Anonymous: not written since clear_refs 4; written since; write-protected by
 * userfaultfd; locked; mapped by two processes after a fork. Then a memfd, and a file that was only
 * read.
 */
enum kind { CLEARED, WRITTEN, PROTECTED, LOCKED, SHARED, SHMEM, FILE_READ };

#define KIND(k)   (1U << (k))
#define ALL_KINDS (~0U)

/* Before the act a number counts all pages of the kinds in `all`, no page of those in `none`. */
static const struct {
	enum reader reader;
	unsigned all, none;
} at_rest[] = {
	{ ENTRIES_EMPTY, 0, ALL_KINDS },
	{ ENTRIES_SOFT_DIRTY, 0, ~(KIND(WRITTEN) | KIND(LOCKED)) },
	{ ENTRIES_EXCLUSIVE, ~KIND(SHARED), KIND(SHARED) },
	{ SMAPS_REFERENCED, KIND(WRITTEN), KIND(CLEARED) },
	{ SMAPS_LOCKED, KIND(LOCKED), ~KIND(LOCKED) },
	{ SCAN_FOUND, ALL_KINDS, 0 },
	{ CORE, ALL_KINDS, 0 },
};

/* A number that may leave its range during the act: fall below it, or rise above it. */
struct allowed {
	enum reader reader;
	bool falls, rises;
	unsigned kinds; /* the kinds of memory for which it may, as bits of KIND() */
};

struct meanwhile_act {
	workload_act *act; /* on watched.start; if no call returns true, the step is skipped */
	const char *needs; /* what is missing if no call returned true */
	const struct allowed *allowed;
	size_t nr_allowed;
};

struct watched {
	const struct meanwhile_act *act;
	char *start;
	size_t pages;
	int pagemap;
	int64_t before[READERS], after[READERS], least[READERS], most[READERS];
	int64_t under_way; /* entries with bit 62: swapped or under migration */
	int64_t moments;   /* readings in which under_way was not 0 and had changed */
	int64_t in_smaps;  /* readings of smaps before and after which it was not 0 */
};

static struct watched watched;

static void read_entries(struct workload *w, int64_t now[READERS])
{
	static uint64_t words[MEANWHILE_PAGES];
	off_t at = (off_t)((uintptr_t)watched.start / w->page_size * sizeof(*words));
	int64_t under_way = 0;

	if (pread(watched.pagemap, words, watched.pages * sizeof(*words), at) < 0)
		workload_die(w, "/proc/self/pagemap: %m");
	for (size_t i = 0; i < watched.pages; i++) {
		bool present = words[i] & PAGEMAP_PRESENT, swap = words[i] & PAGEMAP_SWAP;

		under_way += swap;
		now[ENTRIES_EMPTY] += !present && !swap;
		now[ENTRIES_SOFT_DIRTY] += !!(words[i] & PAGEMAP_SOFT_DIRTY);
		now[ENTRIES_UFFD_WP] += !!(words[i] & PAGEMAP_UFFD_WP);
		now[ENTRIES_FILE] += !!(words[i] & PAGEMAP_FILE);
		now[ENTRIES_EXCLUSIVE] += !!(words[i] & PAGEMAP_EXCLUSIVE);
		now[ENTRIES_EXCLUSIVE_ABSENT] += !present && words[i] & PAGEMAP_EXCLUSIVE;
	}
	watched.moments += under_way && under_way != watched.under_way;
	watched.under_way = under_way;
}

/* If PAGEMAP_SCAN fails (before Linux 6.7), all pages count as found. */
static void read_scan(struct workload *w, int64_t now[READERS])
{
	enum { VECTOR = 64 };
	struct scan_region regions[VECTOR];
	struct scan_arg arg = {
		SCAN_OF(watched.start, watched.pages * w->page_size, regions, VECTOR),
		.category_anyof_mask = SCAN_PRESENT | SCAN_SWAPPED, .return_mask = SCAN_PRESENT
	};
	int n;

	do {
		n = ioctl(watched.pagemap, SCAN_IOCTL, &arg);
		if (n < 0)
			now[SCAN_FOUND] = (int64_t)watched.pages;
		for (int i = 0; i < n; i++)
			now[SCAN_FOUND] += (int64_t)((regions[i].end - regions[i].start) /
						     w->page_size);
		arg.start = arg.walk_end;
	} while (n > 0 && arg.start < arg.end);
}

/* Stores fields in kB such as "Rss:  1024 kB", in pages. */
static void take_fields(struct workload *w, const char *text, enum reader first, enum reader end,
			int64_t now[READERS])
{
	for (enum reader r = first; r < end; r++)
		now[r] = kernel_number_in(text, reader_names[r], 0) * 1024 / (int64_t)w->page_size;
}

static void read_status(struct workload *w, int64_t now[READERS])
{
	char text[4096];

	if (workload_read_text("/proc/self/status", text, sizeof(text)) < 0)
		workload_die(w, "/proc/self/status: %m");
	take_fields(w, text, STATUS_FIRST, READERS, now);
}

static void read_smaps(struct workload *w, int64_t now[READERS])
{
	char text[WORKLOAD_SMAPS];

	workload_smaps_lines(w, watched.start, text);
	take_fields(w, text, SMAPS_FIRST, STATUS_FIRST, now);
	now[SMAPS_HELD] = now[SMAPS_RSS] + now[SMAPS_SWAP];
	now[SMAPS_PRIVATE] = now[SMAPS_PRIVATE_DIRTY] + now[SMAPS_PRIVATE_CLEAN];
	now[SMAPS_DIRTY] = now[SMAPS_PRIVATE_DIRTY] + now[SMAPS_SHARED_DIRTY];
	now[SMAPS_ALL] = now[SMAPS_DIRTY] + now[SMAPS_PRIVATE_CLEAN] + now[SMAPS_SHARED_CLEAN];
}

static void read_all(struct workload *w, int64_t now[READERS])
{
	memset(now, 0, READERS * sizeof(*now));
	read_entries(w, now);
	read_scan(w, now);
	now[CORE] = workload_pages_in_core(w, watched.start, watched.pages);
	read_smaps(w, now);
	watched.in_smaps += watched.under_way &&
			    workload_pages_swapped(w, watched.start, watched.pages);
	read_status(w, now);
}

static bool seen_enough(const struct beside *b)
{
	return watched.moments >= MEANWHILE_MOMENTS && workload_beside_acts(b) >= MEANWHILE_ACTS;
}

static void read_until_seen(struct workload *w, const struct beside *b)
{
	int64_t now[READERS], end = now_ms() + MEANWHILE_LIMIT_MS;

	while (!seen_enough(b) && now_ms() < end) {
		read_all(w, now);
		for (int r = 0; r < READERS; r++) {
			if (now[r] < watched.least[r])
				watched.least[r] = now[r];
			if (now[r] > watched.most[r])
				watched.most[r] = now[r];
		}
	}
}

/* Reports by how many pages each number left its range; 0 if the act's table allows it. */
static void report_all(struct workload *w)
{
	for (enum reader r = 0; r < READERS; r++) {
		bool grew = watched.after[r] > watched.before[r];
		int64_t low = watched.least[r] - (grew ? watched.before[r] : watched.after[r]);
		int64_t high = watched.most[r] - (grew ? watched.after[r] : watched.before[r]);

		for (size_t i = 0; i < watched.act->nr_allowed; i++) {
			const struct allowed *a = &watched.act->allowed[i];

			if (a->reader != r || !(a->kinds & KIND(w->argument)))
				continue;
			low = a->falls ? 0 : low;
			high = a->rises ? 0 : high;
		}
		low = low < 0 ? low : 0;
		high = high > 0 ? high : 0;
		workload_report(w, reader_names[r], high > -low ? high : low);
	}
	workload_report(w, "soft-dirty before", watched.before[ENTRIES_SOFT_DIRTY]);
	workload_report(w, "moments", watched.moments);
	workload_report(w, "moments in smaps", watched.in_smaps);
	workload_report(w, "private at least", watched.least[SMAPS_PRIVATE]);
}

static void must_be_at_rest(struct workload *w)
{
	for (size_t i = 0; i < sizeof(at_rest) / sizeof(*at_rest); i++) {
		int64_t is = watched.before[at_rest[i].reader];
		bool all = at_rest[i].all & KIND(w->argument);
		bool none = at_rest[i].none & KIND(w->argument);

		if ((all && is != (int64_t)watched.pages) || (none && is))
			workload_fail(w, "before the act, %s is %lld of %zu pages",
				      reader_names[at_rest[i].reader], (long long)is,
				      watched.pages);
	}
}

static void read_beside(struct workload *w, struct beside *b)
{
	/* The first reading after fork() breaks copy-on-write of the buffers it writes. */
	read_all(w, watched.before);
	read_all(w, watched.before);
	must_be_at_rest(w);
	memcpy(watched.least, watched.before, sizeof(watched.least));
	memcpy(watched.most, watched.before, sizeof(watched.most));
	watched.moments = watched.in_smaps = 0;
	workload_beside_go(b);
	read_until_seen(w, b);
	workload_beside_stop(b);
	read_all(w, watched.after);
}

/* Reads while another process acts, then reports the numbers. */
static void watch(struct workload *w, const struct meanwhile_act *act)
{
	struct beside *b;

	watched.act = act;
	watched.pagemap = workload_open_pagemap(w);
	read_all(w, watched.before);
	if (w->argument == PROTECTED && !watched.before[ENTRIES_UFFD_WP])
		workload_skip_step(w, "bit 57 of pagemap (Linux 5.14)");
	b = workload_beside(w, act->act);
	read_beside(w, b);
	close(watched.pagemap);
	if (!workload_beside_ends(w, b))
		workload_skip_step(w, "%s", act->needs);
	report_all(w);
	workload_checked(w);
}

static char *map_kind(struct workload *w, enum kind k)
{
	int fd = k == SHMEM       ? workload_shmem(w, MEANWHILE_PAGES)
		 : k == FILE_READ ? workload_file(w, MEANWHILE_PAGES)
				  : -1;
	int prot = k == FILE_READ ? PROT_READ : PROT_READ | PROT_WRITE;
	char *p;

	p = workload_map_pages(w, MEANWHILE_PAGES, prot,
			       fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd);
	madvise(p, MEANWHILE_PAGES * w->page_size, MADV_NOHUGEPAGE);
	if (k == FILE_READ)
		touch_read(w, p, MEANWHILE_PAGES);
	else if (k != LOCKED) /* mlock(2) faults the pages in */
		touch_write(w, p, MEANWHILE_PAGES);
	return p;
}

/* Afterwards no page is soft-dirty or referenced, except pages of WRITTEN and LOCKED. */
static void prepare_kind(struct workload *w, enum kind k, char *p, size_t bytes)
{
	int fd;

	/* fork() does not copy the page table entries of shared file mappings. */
	if (k != SHARED && k != SHMEM && k != FILE_READ)
		madvise(p, bytes, MADV_DONTFORK);
	workload_set(w, "/proc/self/clear_refs", "4");
	workload_set(w, "/proc/self/clear_refs", "1");
	if (k == WRITTEN)
		touch_write(w, p, bytes / w->page_size);
	if (k == LOCKED && mlock(p, bytes))
		workload_die(w, "mlock: %m");
	if (k != PROTECTED)
		return;
	fd = workload_try_userfaultfd(w, p, bytes, UFFDIO_REGISTER_MODE_WP);
	if (fd < 0 || workload_userfaultfd_protect(fd, p, bytes, true) < 0)
		workload_skip_step(w, "userfaultfd(2) that can write-protect: %m");
}

/* Maps memory of the kind in the step's argument; reads its numbers while another process acts. */
static void watch_kind(struct workload *w, const struct meanwhile_act *act)
{
	enum kind k = (enum kind)w->argument;

	memset(&watched, 0, sizeof(watched));
	watched.start = map_kind(w, k);
	watched.pages = MEANWHILE_PAGES;
	prepare_kind(w, k, watched.start, watched.pages * w->page_size);
	watch(w, act);
	workload_unmap(w, watched.start, watched.pages * w->page_size);
}

static inline void meanwhile_judge(const struct trial *t, struct judgement *j, unsigned step,
				   const char *rule)
{
	for (enum reader r = 0; r < READERS; r++)
		judge_reported(t, j, step, reader_names[r], reader_names[r], 0, rule);
}

/* Without CONFIG_MEM_SOFT_DIRTY no page is ever soft-dirty. */
static inline void meanwhile_judge_written(const struct trial *t, struct judgement *j,
					   unsigned step)
{
	if (trial_value(t, STEP_BASELINE, 0, METRIC_PAGEMAP_SOFT_DIRTY) > 0)
		judge_reported(t, j, step, "soft-dirty before", "soft-dirty", MEANWHILE_PAGES,
			       "soft-dirty = the pages written since clear_refs 4");
}

#endif
