// SPDX-License-Identifier: MIT
/*
 * Reads the numbers of one mapping, and those of its process, again and again while an act goes on
 * beside it. A reader may see the middle of the act, but no number may leave the range between its
 * value before the act and its value afterwards.
 */
#ifndef MEANWHILE_H
#define MEANWHILE_H

#include <rssck/case.h>
#include <rssck/uapi.h>
#include <time.h>

enum {
	MEANWHILE_PAGES = 256,
	MEANWHILE_MOMENTS = 12,
	MEANWHILE_ACTS = 4,
	MEANWHILE_LIMIT_MS = 400
};

/* A number, in pages. Those from SMAPS_FIRST on are fields of the mapping in smaps, and then of
 * status. */
enum reader {
	ENTRIES_EMPTY, /* neither present nor with the bit for swap */
	ENTRIES_SOFT_DIRTY,
	ENTRIES_UFFD_WP,
	ENTRIES_FILE,
	ENTRIES_EXCLUSIVE,
	ENTRIES_EXCLUSIVE_ABSENT, /* with the bit for exclusive, but not present */
	SCAN_FOUND,               /* present or swapped for PAGEMAP_SCAN */
	CORE,
	SMAPS_HELD,  /* Rss + Swap */
	SMAPS_DIRTY, /* Private_Dirty + Shared_Dirty */
	SMAPS_ALL,   /* these and Private_Clean + Shared_Clean */
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
	SMAPS_HUGE,
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
	[SMAPS_HUGE] = "AnonHugePages",
	[STATUS_RSS] = "VmRSS",
	[STATUS_ANON] = "RssAnon",
	[STATUS_FILE] = "RssFile",
	[STATUS_SHMEM] = "RssShmem",
	[STATUS_SWAP] = "VmSwap",
	[STATUS_PTE] = "VmPTE",
};

/*
 * Kinds of memory: not written since clear_refs 4; written since; write-protected by userfaultfd;
 * locked; mapped by two processes; a memfd; a file that was only read.
 */
enum kind { CLEARED, WRITTEN, PROTECTED, LOCKED, SHARED, SHMEM, FILE_READ };

#define KIND(k)   (1U << (k))
#define ALL_KINDS (~0U)

/* Numbers before the act: all pages of the kinds `all`, and no page of the kinds `none`. */
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

/* A number that may leave its range in the middle of an act. */
struct allowed {
	enum reader reader;
	bool falls, rises;
	unsigned kinds; /* KIND() of each kind for which it may */
};

struct meanwhile_act {
	/* Acts on the memory of process `of`. Returns true if all of it was done. */
	bool (*act)(char *start, size_t pages, pid_t of);
	const char *needs; /* what is missing if no act was done */
	const struct allowed *allowed;
	size_t nr_allowed;
};

struct watched {
	const struct meanwhile_act *act;
	char *start;
	size_t pages;
	int pagemap;
	int64_t before[READERS], after[READERS], least[READERS], most[READERS];
	int64_t under_way; /* pages with the bit for swap */
	int64_t moments;   /* readings in which under_way was not 0 and had changed */
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

/* On a kernel without PAGEMAP_SCAN all pages count as found. */
static void read_scan(struct workload *w, int64_t now[READERS])
{
	enum { VECTOR = 64 };
	struct scan_region regions[VECTOR];
	struct scan_arg arg = { .size = sizeof(arg),
				.start = (uintptr_t)watched.start,
				.end = (uintptr_t)watched.start + watched.pages * w->page_size,
				.vec = (uintptr_t)regions,
				.vec_len = VECTOR,
				.category_anyof_mask = SCAN_PRESENT | SCAN_SWAPPED,
				.return_mask = SCAN_PRESENT };
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

/* Takes the number of a line such as "Rss:  1024 kB" if it is one of the fields. */
static void take_field(struct workload *w, const char *line, enum reader first, enum reader end,
		       int64_t now[READERS])
{
	size_t len = strcspn(line, ":");

	for (enum reader r = first; r < end; r++)
		if (strlen(reader_names[r]) == len && !strncmp(line, reader_names[r], len))
			now[r] = strtoll(line + len + 1, NULL, 10) * 1024 / (int64_t)w->page_size;
}

static FILE *open_file(struct workload *w, const char *path)
{
	FILE *f = fopen(path, "re");

	if (!f)
		workload_die(w, "%s: %m", path);
	return f;
}

static void read_status(struct workload *w, int64_t now[READERS])
{
	FILE *f = open_file(w, "/proc/self/status");
	char line[512];

	while (fgets(line, sizeof(line), f))
		take_field(w, line, STATUS_FIRST, READERS, now);
	fclose(f);
}

static void read_smaps(struct workload *w, int64_t now[READERS])
{
	FILE *f = open_file(w, "/proc/self/smaps");
	unsigned long long from, to;
	bool is_inside = false;
	char line[512];

	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx-%llx ", &from, &to) == 2)
			is_inside = from == (uintptr_t)watched.start;
		else if (is_inside)
			take_field(w, line, SMAPS_FIRST, STATUS_FIRST, now);
	fclose(f);
	now[SMAPS_HELD] = now[SMAPS_RSS] + now[SMAPS_SWAP];
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
	read_status(w, now);
}

static int64_t meanwhile_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool act_once(const struct workload *w, pid_t of)
{
	(void)w;
	return watched.act->act(watched.start, watched.pages, of);
}

static bool seen_enough(const struct beside *b)
{
	return watched.moments >= MEANWHILE_MOMENTS && workload_beside_acts(b) >= MEANWHILE_ACTS;
}

static void read_until_seen(struct workload *w, const struct beside *b)
{
	int64_t now[READERS], end = meanwhile_ms() + MEANWHILE_LIMIT_MS;

	while (!seen_enough(b) && meanwhile_ms() < end) {
		read_all(w, now);
		for (int r = 0; r < READERS; r++) {
			if (now[r] < watched.least[r])
				watched.least[r] = now[r];
			if (now[r] > watched.most[r])
				watched.most[r] = now[r];
		}
	}
}

/* Reports by how many pages each number left its range, unless it may. */
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
	workload_report(w, "private at times",
			watched.least[SMAPS_PRIVATE_DIRTY] + watched.least[SMAPS_PRIVATE_CLEAN]);
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
	/* The first reading after the fork copies the pages that all readings write. */
	read_all(w, watched.before);
	read_all(w, watched.before);
	must_be_at_rest(w);
	memcpy(watched.least, watched.before, sizeof(watched.least));
	memcpy(watched.most, watched.before, sizeof(watched.most));
	watched.moments = 0;
	workload_beside_go(b);
	read_until_seen(w, b);
	workload_beside_stop(b);
	read_all(w, watched.after);
}

/* Acts beside the readings, then reports the numbers. */
static void watch(struct workload *w, const struct meanwhile_act *act)
{
	struct beside *b;

	watched.act = act;
	watched.pagemap = workload_open_pagemap(w);
	read_all(w, watched.before);
	if (w->argument == PROTECTED && !watched.before[ENTRIES_UFFD_WP])
		workload_skip_step(w, "bit 57 of pagemap (Linux 5.14)");
	b = workload_beside(w, act_once);
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

/* No page is soft-dirty or referenced, but those of WRITTEN. */
static void prepare_kind(struct workload *w, enum kind k, char *p, size_t bytes)
{
	int fd;

	/* fork() does not copy the entries of a file. */
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
	fd = workload_userfaultfd(w, p, bytes, UFFDIO_REGISTER_MODE_WP, 0);
	if (workload_userfaultfd_protect(fd, p, bytes, true) < 0)
		workload_skip_step(w, "UFFDIO_WRITEPROTECT: %m");
}

/* Maps memory of the kind that the step's argument names, and reads it while the act goes on. */
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
