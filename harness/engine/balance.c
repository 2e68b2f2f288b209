// SPDX-License-Identifier: MIT
#include "balance.h"
#include "base/kernel_file.h"
#include "base/memory.h"
#include <inttypes.h>
#include <mntent.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { READINGS = 16, AGREE = 5, PAUSE_NS = 2000000, CPUS_MOST = 16 };

/* The files of one reading. */
struct files {
	struct text vmstat, zoneinfo, root;
	char root_path[400]; /* "": this is not cgroup v2, or not the machine's root cgroup */
};

/* ---- sums of lines of /proc/vmstat ---- */

/*
 * mm/page_alloc.c rmqueue() counts pgalloc_*, free_frozen_page_commit() and __free_pages_ok() count
 * pgfree. Pages on the lists of CPUs are not in nr_free_pages.
 */
#define PAGES "pgalloc_* - pgfree + free pages"
/* mm/page_alloc.c zone_statistics() */
#define PLACES  "numa_hit + numa_miss - numa_local - numa_other"
#define FOREIGN "numa_miss - numa_foreign"
/* mm/page_alloc.c __alloc_pages_direct_compact() */
#define COMPACTIONS "compact_stall - compact_success - compact_fail"

/*
 * The kernel prints pgalloc_* only for zones that its configuration has. The terms of a sum follow
 * each other.
 */
static const struct term {
	const char *sum, *line;
	int sign;
	bool may_be_missing;
} terms[] = {
	{ PAGES, "pgalloc_dma", 1, true },
	{ PAGES, "pgalloc_dma32", 1, true },
	{ PAGES, "pgalloc_normal", 1, false },
	{ PAGES, "pgalloc_high", 1, true },
	{ PAGES, "pgalloc_movable", 1, false },
	{ PAGES, "pgalloc_device", 1, true },
	{ PAGES, "pgfree", -1, false },
	{ PLACES, "numa_hit", 1, false },
	{ PLACES, "numa_miss", 1, false },
	{ PLACES, "numa_local", -1, false },
	{ PLACES, "numa_other", -1, false },
	{ FOREIGN, "numa_miss", 1, false },
	{ FOREIGN, "numa_foreign", -1, false },
	{ COMPACTIONS, "compact_stall", 1, false },
	{ COMPACTIONS, "compact_success", -1, false },
	{ COMPACTIONS, "compact_fail", -1, false },
};

static bool is_of_pages(const struct balance_sum *sum)
{
	return !strcmp(sum->name, PAGES);
}

static void add(struct balance *b, const char *name, int64_t value)
{
	struct balance_sum *sum = &b->of[b->nr];

	if (b->nr == BALANCE_MOST)
		return;
	b->nr++;
	*sum = (struct balance_sum) { .value = value, .agreed = 1 };
	snprintf(sum->name, sizeof(sum->name), "%s", name);
}

/* Adds up a number that each zone has, or each CPU's list of a zone. */
static int64_t sum_of(const char *zoneinfo, const char *word)
{
	int64_t sum = 0;

	for (const char *at = zoneinfo; (at = strstr(at, word)); at += strlen(word))
		sum += strtoll(at + strlen(word), NULL, 10);
	return sum;
}

/* A sum of which a line is missing does not count: the kernel has no such counters. */
static void add_terms(struct balance *b, const struct files *f)
{
	size_t i = 0;

	while (i < sizeof(terms) / sizeof(*terms)) {
		const char *name = terms[i].sum;
		bool is_there = true;
		int64_t sum = 0;

		for (; i < sizeof(terms) / sizeof(*terms) && terms[i].sum == name; i++) {
			int64_t value = kernel_number_in(f->vmstat.data, terms[i].line, -1);

			is_there = is_there && (value >= 0 || terms[i].may_be_missing);
			sum += value > 0 ? terms[i].sign * value : 0;
		}
		if (!strcmp(name, PAGES))
			sum += sum_of(f->zoneinfo.data, "pages free ") +
			       sum_of(f->zoneinfo.data, " count: ");
		if (is_there)
			add(b, name, sum);
	}
}

/* ---- events that vmstat and memory.stat of the root cgroup count ---- */

/*
 * Finds the machine's root cgroup. It has no memory.current, which a container's root has. With
 * many CPUs it would take too long to update memory.stat.
 */
static void find_root(struct files *f)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *m;
	char path[440];

	f->root_path[0] = '\0';
	while (mounts && sysconf(_SC_NPROCESSORS_ONLN) <= CPUS_MOST && !f->root_path[0] &&
	       (m = getmntent(mounts))) {
		snprintf(path, sizeof(path), "%.380s/memory.current", m->mnt_dir);
		if (!strcmp(m->mnt_type, "cgroup2") && access(path, F_OK))
			snprintf(f->root_path, sizeof(f->root_path), "%.380s/memory.stat",
				 m->mnt_dir);
	}
	if (mounts)
		endmntent(mounts);
}

/*
 * The kernel updates memory.stat only after 64 changes per CPU (memcg_vmstats_needs_flush()), or
 * after two seconds. Each page that is written and freed is a change or more.
 */
static void update_memory_stat(void)
{
	enum { BATCH = 64 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = 2 * BATCH * (size_t)sysconf(_SC_NPROCESSORS_ONLN) * page;
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return;
	madvise(p, bytes, MADV_NOHUGEPAGE);
	for (size_t at = 0; at < bytes; at += page)
		p[at] = 1;
	munmap(p, bytes);
}

/*
 * vmstat leaves out what reclaim for a cgroup scans (mm/vmscan.c, cgroup_reclaim()). memory.stat
 * leaves out a huge page of khugepaged that a cgroup's limit refuses (alloc_charge_folio()).
 */
static bool is_counted_twice(const char *key)
{
	static const char *const starts[] = { "pgscan", "pgsteal", "pgrefill",
					      "thp_collapse_alloc" };

	for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++)
		if (!strncmp(key, starts[i], strlen(starts[i])))
			return false;
	return true;
}

static void add_events(struct balance *b, const struct files *f)
{
	char key[40];
	const char *line = f->root.data;
	int64_t events, of_machine;

	for (; line && *line; line = strchr(line, '\n'), line += !!line) {
		if (sscanf(line, "%39s %" SCNd64, key, &events) != 2 || !is_counted_twice(key))
			continue;
		of_machine = kernel_number_in(f->vmstat.data, key, -1);
		if (of_machine < 0)
			continue;
		add(b, key, events - of_machine);
	}
}

/* ---- readings ---- */

/* Returns false if the files of the machine cannot be read. */
static bool read_once(struct balance *b, struct files *f)
{
	*b = (struct balance) { .nr = 0 };
	if (f->root_path[0])
		update_memory_stat();
	if (!kernel_set("/proc/sys/vm/stat_refresh", "1") ||
	    (f->root_path[0] && text_read(&f->root, 0, f->root_path)) ||
	    text_read(&f->vmstat, 0, "/proc/vmstat") ||
	    text_read(&f->zoneinfo, 0, "/proc/zoneinfo"))
		return false;
	add_terms(b, f);
	if (f->root_path[0])
		add_events(b, f);
	b->managed = sum_of(f->zoneinfo.data, " managed ");
	b->compacted = kernel_number_in(f->vmstat.data, "compact_isolated", 0);
	return true;
}

/* Keeps a sum that has settled. Returns true if all have. */
static bool settle(struct balance *now, const struct balance *last, const struct balance *before)
{
	bool all = true;

	for (size_t i = 0; i < now->nr; i++) {
		struct balance_sum *sum = &now->of[i];

		if (i < last->nr && last->of[i].agreed >= AGREE)
			*sum = last->of[i];
		else if (i < last->nr && last->of[i].value == sum->value)
			sum->agreed = last->of[i].agreed + 1;
		if (before && i < before->nr) {
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
	struct files f = { .root_path = "" };
	struct balance *b = calloc(1, sizeof(*b)), last;
	bool more = true;

	if (!b)
		memory_gone("the sums of the kernel's counters");
	find_root(&f);
	for (int i = 0; i < READINGS && more; i++) {
		if (i)
			nanosleep(&(struct timespec) { .tv_nsec = PAUSE_NS }, NULL);
		last = *b;
		more = read_once(b, &f) && !settle(b, &last, before);
	}
	text_free(&f.vmstat);
	text_free(&f.zoneinfo);
	text_free(&f.root);
	return b;
}

/*
 * Compaction takes pages from the lists of free pages and counts no allocation
 * (mm/compaction.c split_map_pages()).
 */
int64_t balance_change(const struct balance *before, const struct balance *now, size_t i)
{
	const struct balance_sum *a = &before->of[i], *b = &now->of[i];

	if (i >= before->nr || i >= now->nr || strcmp(a->name, b->name) || a->agreed < AGREE ||
	    b->agreed < AGREE)
		return 0;
	if (is_of_pages(a) &&
	    (before->managed != now->managed || before->compacted != now->compacted))
		return 0;
	return b->value - a->value;
}

void balance_say(const struct balance_sum *sum, int64_t change, char *why, size_t size)
{
	if (strchr(sum->name, ' '))
		snprintf(
			why, size,
			"each run of the case changes a sum that nothing may change (/proc/vmstat, "
			"/proc/zoneinfo): %s, this time by %" PRId64,
			sum->name, change);
	else
		snprintf(why, size,
			 "each run of the case raises %s of memory.stat of the root cgroup by "
			 "%" PRId64 " %s than that of /proc/vmstat",
			 sum->name, change < 0 ? -change : change, change < 0 ? "less" : "more");
}
