// SPDX-License-Identifier: MIT
/* Judges the memory charged to a program's cgroup. */
#include "paid.h"
#include "audit.h"
#include "base/clock.h"
#include "base/kernel_file.h"
#include <rssck/pages.h>
#include <rssck/source.h>
#include <rssck/workload.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	LOOKS = 5,
	LOOKS_MS = 100, /* after this time, two readings are enough */
	PAUSE_MS = 2,   /* doubled after each reading */
	PAUSE_MOST_MS = 500,
	TIMES = 5, /* while the program runs, a number is reported only if it is wrong in this many
		      consecutive audits or readings */
	END_MS = 5000,
	END_PAUSE_MS = 100,
	CACHED_STACKS = 2, /* stacks cached for each CPU: kernel/fork.c NR_CACHED_STACKS */
};

static const struct {
	const char *name, *file, *field;
	const char *with; /* a field that exists only on kernels whose `field` counts pages */
	enum rule_id least, most;
	bool lags;
	bool kernel; /* cgroup.memory=nokmem charges this memory to no cgroup */
} rows[PAID_COUNT] = {
	[PAID_CURRENT] = { "memory.current", "memory.current", .least = RULE_CGROUP_CURRENT_LEAST },
	[PAID_ANON] = { "memory.stat anon", "memory.stat", "anon", .lags = true,
			.least = RULE_CGROUP_ANON_LEAST, .most = RULE_CGROUP_ANON_MOST },
	[PAID_FILE_MAPPED] = { "memory.stat file_mapped", "memory.stat", "file_mapped",
			       .lags = true, .least = RULE_CGROUP_FILE_LEAST },
	[PAID_SHMEM] = { "memory.stat shmem", "memory.stat", "shmem", .lags = true,
			 .least = RULE_CGROUP_SHMEM_LEAST },
	/*
	 * anon_thp counts pages since 5.12, which also added swapcached. Before, it counted huge
	 * pages.
	 */
	[PAID_ANON_THP] = { "memory.stat anon_thp", "memory.stat", "anon_thp", .with = "swapcached",
			    .lags = true, .least = RULE_CGROUP_THP_LEAST,
			    .most = RULE_CGROUP_THP_MOST },
	[PAID_KERNEL_STACK] = { "memory.stat kernel_stack", "memory.stat", "kernel_stack",
				.lags = true, .kernel = true, .least = RULE_CGROUP_STACK_LEAST,
				.most = RULE_CGROUP_STACK_MOST },
	[PAID_PAGETABLES] = { "memory.stat pagetables", "memory.stat", "pagetables", .lags = true,
			      .kernel = true, .least = RULE_CGROUP_TABLES_LEAST,
			      .most = RULE_CGROUP_TABLES_MOST },
	[PAID_SWAP] = { "memory.swap.current", "memory.swap.current",
			.least = RULE_CGROUP_SWAP_LEAST, .most = RULE_CGROUP_SWAP_MOST },
	[PAID_NOBODYS] = { .name = "kpagecgroup", .most = RULE_CGROUP_NOBODYS },
};

const char *paid_name(enum paid_number n)
{
	return rows[n].name;
}

int64_t paid_off(const struct paid_entry *b)
{
	if (b->high < b->least)
		return b->high - b->least;
	if (b->most >= 0 && b->low > b->most)
		return b->low - b->most;
	return 0;
}

/*
 * Returns how many pages may be missing from memory.stat: less than a batch in each CPU, and what
 * memcg_rstat_updated() (mm/memcontrol.c) has counted but not flushed. It flushes after more
 * batches than there are CPUs; 6.1 counts almost two batches as one.
 */
static int64_t held_back(void)
{
	return CGROUP_BATCH * (sysconf(_SC_NPROCESSORS_CONF) + 2 * sysconf(_SC_NPROCESSORS_ONLN));
}

void paid_expect(const struct charged *c, const struct paid_sums *s, int64_t stack,
		 struct paid_entry *b)
{
	int64_t cached = CACHED_STACKS * sysconf(_SC_NPROCESSORS_CONF);

	for (int i = 0; i < PAID_COUNT; i++) {
		b[i].least = 0;
		b[i].most = -1;
		b[i].bound = rows[i].lags ? held_back() : 0;
	}
	b[PAID_CURRENT].least = c->all;
	b[PAID_ANON].least = c->anon;
	/* With CONFIG_NO_PAGE_MAPCOUNT a partly mapped large folio counts fully. */
	b[PAID_ANON].most = c->parts ? -1 : c->anon;
	b[PAID_FILE_MAPPED].least = c->file;
	b[PAID_SHMEM].least = c->shmem;
	b[PAID_ANON_THP].least = s->huge_most;
	b[PAID_ANON_THP].most = s->huge;
	/*
	 * The parent allocated the first thread's stack, which is charged to the parent's cgroup.
	 */
	b[PAID_KERNEL_STACK].least = s->threads ? (s->threads - 1) * stack : 0;
	b[PAID_KERNEL_STACK].most = (s->threads + s->ended + cached) * stack;
	b[PAID_KERNEL_STACK].have &= stack > 0;
	b[PAID_PAGETABLES].least = s->tables;
	b[PAID_SWAP].least = s->swap;
	b[PAID_NOBODYS].most = 0;
	b[PAID_NOBODYS].low = b[PAID_NOBODYS].high = c->nobodys;
	b[PAID_NOBODYS].have = true;
}

static int64_t swap_used(void)
{
	struct numbered of[] = { { .field = "SwapTotal" }, { .field = "SwapFree" } };

	kernel_numbers("/proc/meminfo", of, 2);
	return of[1].found ? (of[0].value - of[1].value) * 1024 : -1;
}

/* Returns the number of shared KSM pages. Which processes use them is unknown. */
static int64_t merged(void)
{
	return kernel_number("/sys/kernel/mm/ksm/pages_shared", NULL, 0);
}

/*
 * Returns the size of a thread's kernel stack in pages: KernelStack divided by the number of
 * threads. If that is not near a power of two, one of the two numbers may be a container's, and
 * this returns 0.
 */
static int64_t stack_pages(int64_t page)
{
	struct text t = { .data = NULL };
	int64_t all = kernel_number("/proc/meminfo", "KernelStack", 0) * 1024;
	int64_t threads = 0, stack = page;

	if (text_read(&t, 0, "/proc/loadavg") == 0 && strchr(t.data, '/'))
		threads = strtoll(strchr(t.data, '/') + 1, NULL, 10);
	text_free(&t);
	while (threads && 2 * all > 3 * threads * stack)
		stack *= 2;
	return threads && llabs(all - threads * stack) < all / 8 ? stack / page : 0;
}

static bool is_counted(const struct group *g, int i)
{
	if (!rows[i].file || (rows[i].with && group_number(g, rows[i].file, rows[i].with) < 0))
		return false;
	return !rows[i].kernel || group_number(g, rows[i].file, "slab") > 0;
}

/* If `again`, a second reading extends the range from low to high. */
static void read_numbers(const struct auditor *a, struct paid_entry *b, bool again)
{
	for (int i = 0; i < PAID_COUNT; i++) {
		int64_t n = -1;

		if (is_counted(a->group, i))
			n = group_number(a->group, rows[i].file, rows[i].field);
		b[i].have = n >= 0;
		n /= a->host->page_size;
		b[i].low = again && b[i].low < n ? b[i].low : n;
		b[i].high = again && b[i].high > n ? b[i].high : n;
	}
}

static void read_all(const struct auditor *a, struct snapshot *const *s, size_t nr,
		     const struct paid_sums *sums, struct paid_entry *b, bool *known)
{
	int64_t page = a->host->page_size, used = swap_used(), then;
	struct charged c;

	read_numbers(a, b, false);
	*known = charged_count(a->host, a->group, s, nr, &c) == 0;
	read_numbers(a, b, true);
	paid_expect(&c, sums, stack_pages(page), b);
	if (b[PAID_ANON].most >= 0)
		b[PAID_ANON].most += merged();
	then = swap_used();
	b[PAID_SWAP].most = (then > used ? then : used) / page;
	b[PAID_SWAP].have &= used >= 0 && then >= 0;
}

static bool is_broken(const struct paid_entry *b)
{
	return b->have && llabs(paid_off(b)) > b->bound;
}

/*
 * A third-level page table maps a fixed part of the address space. Returns how many of them the
 * mappings can need at most.
 */
static int64_t third_level(const struct snapshot *s, int64_t page)
{
	uint64_t bytes = (uint64_t)page, last = UINT64_MAX;
	int64_t tables = 0;

	for (int level = 0; level < 3; level++)
		bytes *= (uint64_t)page / 8;
	for (size_t i = 0; i < s->nr_maps; i++) {
		uint64_t first = s->maps[i].start / bytes, end = (s->maps[i].end - 1) / bytes;

		tables += (int64_t)(end - first) + (first != last);
		last = end;
	}
	return tables;
}

/* Reads again what reclaim may have changed: the pages and smaps_rollup. */
static int read_again(const struct auditor *a, struct snapshot *s)
{
	struct text t = { .data = NULL };
	struct source_error e;
	int failed = pages_collect(s, a->host);

	if (!failed)
		failed = text_read(&t, s->pid, "smaps_rollup") || rollup_read(t.data, t.len, s, &e);
	text_free(&t);
	return failed;
}

static void sum_up(const struct auditor *a, struct snapshot *const *s, size_t nr,
		   struct paid_sums *sums)
{
	int64_t page = a->host->page_size;

	*sums = (struct paid_sums) { .huge = 0 };
	for (size_t i = 0; i < nr; i++) {
		int64_t huge = table_kb(&s[i]->values, METRIC_ROLLUP_ANONHUGEPAGES);
		int64_t tables = table_kb(&s[i]->values, METRIC_STATUS_VMPTE) * 1024 / page;

		sums->huge += huge;
		sums->huge_most = huge > sums->huge_most ? huge : sums->huge_most;
		tables -= third_level(s[i], page);
		sums->tables += tables > 0 ? tables : 0;
		sums->swap += table_kb(&s[i]->values, METRIC_ROLLUP_SWAPPSS);
	}
	sums->huge = sums->huge * 1024 / page;
	sums->huge_most = sums->huge_most * 1024 / page;
	sums->swap = sums->swap * 1024 / page;
	for (size_t i = 0; i < a->tree.nr_members; i++) {
		sums->threads += a->tree.members[i].ended ? 0 : a->tree.members[i].threads;
		sums->ended += a->tree.members[i].ended;
	}
}

/*
 * Reads and compares everything once. A broken number is replaced if it is now fine, or broken in
 * the other direction. Returns false if the numbers cannot be read.
 */
static bool look_once(const struct auditor *a, struct snapshot *const *s, size_t nr, bool first,
		      struct paid_entry *b)
{
	struct paid_entry now[PAID_COUNT];
	struct paid_sums sums;
	bool known;

	for (size_t i = 0; !first && i < nr; i++)
		if (read_again(a, s[i]))
			return false;
	sum_up(a, s, nr, &sums);
	read_all(a, s, nr, &sums, now, &known);
	for (int i = 0; known && i < PAID_COUNT; i++)
		if (first ||
		    (is_broken(&b[i]) &&
		     (!is_broken(&now[i]) || (paid_off(&now[i]) < 0) != (paid_off(&b[i]) < 0))))
			b[i] = now[i];
	return known;
}

static bool any_is_broken(const struct paid_entry *b)
{
	for (int i = 0; i < PAID_COUNT; i++)
		if (is_broken(&b[i]))
			return true;
	return false;
}

static bool wants_confirmation(const struct auditor *a, const struct paid_entry *b)
{
	for (int i = 0; i < PAID_COUNT; i++)
		if (is_broken(&b[i]) && !a->paid[i].stayed[paid_off(&b[i]) > 0])
			return true;
	return false;
}

/*
 * Finds the numbers that are broken in the same direction in each reading. A number that is broken
 * for the first time is read again until the error is certain or gone. Meanwhile the program stays
 * stopped, because it may end before the next audit. Returns false if the numbers cannot be read.
 */
static bool look(struct auditor *a, struct snapshot *const *s, size_t nr, struct paid_entry *b)
{
	int64_t since = now_ms(), ms = PAUSE_MS;
	int n = 0;

	for (;;) {
		bool done = n >= LOOKS || (n >= 2 && now_ms() - since >= LOOKS_MS);
		bool known = n >= TIMES && now_ms() - since >= a->stays_ms;

		if (n && (!any_is_broken(b) || (done && (known || !wants_confirmation(a, b)))))
			break;
		if (n)
			nanosleep(&(struct timespec) { .tv_nsec = ms * 1000000L }, NULL);
		ms = n && 2 * ms < PAUSE_MOST_MS ? 2 * ms : ms;
		if (!look_once(a, s, nr, !n++, b))
			return false;
	}
	for (int i = 0; i < PAID_COUNT; i++)
		if (is_broken(&b[i]) && n >= TIMES && now_ms() - since >= a->stays_ms)
			a->paid[i].stayed[paid_off(&b[i]) > 0] = true;
	return true;
}

static void find(struct auditor *a, enum paid_number n, const struct paid_entry *b)
{
	bool below = paid_off(b) < 0;
	struct discrepancy d;

	discrepancy_set(&d, below ? rows[n].least : rows[n].most, "pages", below ? b->high : b->low,
			below ? b->least : b->most, "%s", rows[n].name);
	snprintf(d.step, sizeof(d.step), "audit");
	d.bound = b->bound;
	auditor_find(a, CHECK_CGROUP, a->command, "its cgroup", &d);
}

/*
 * Delayed updates arrive within two seconds, and processes that start or end cause short
 * differences. So only a difference that lasts longer is wrong, in one audit or over several.
 */
static void note(struct auditor *a, enum paid_number n, const struct paid_entry *b, bool ended)
{
	struct paid *paid = &a->paid[n];
	int64_t off = paid_off(b), now = now_ms();

	if (!paid->seen || llabs(off) > llabs(paid->off))
		paid->off = off;
	paid->seen = true;
	paid->bound = b->bound;
	for (int side = 0; side < 2; side++) {
		bool broken = is_broken(b) && (off > 0) == (side == 1);

		paid->times[side] = broken ? paid->times[side] + 1 : 0;
		if (paid->times[side] == 1)
			paid->since[side] = now;
		if (broken &&
		    (ended || paid->stayed[side] ||
		     (paid->times[side] >= TIMES && now - paid->since[side] >= a->stays_ms)))
			find(a, n, b);
	}
}

static bool has_finding(const struct auditor *a, const char *name)
{
	for (size_t i = 0; i < a->nr_findings; i++)
		if (a->findings[i].check == CHECK_CGROUP && !strcmp(a->findings[i].d.metric, name))
			return true;
	return false;
}

static bool all_are_in_it(const struct auditor *a)
{
	for (size_t i = 0; i < a->tree.nr_members; i++)
		if (!a->tree.members[i].ended && !group_has(a->group, a->tree.members[i].pid))
			return false;
	return group_has_none_below(a->group);
}

void paid_judge(struct auditor *a, struct point *p, struct snapshot *const *s, size_t nr)
{
	struct paid_entry b[PAID_COUNT] = { { .have = false } };

	if (!a->group || !a->group->path[0])
		return;
	if (!all_are_in_it(a) || !look(a, s, nr, b)) {
		a->unseen[UNSEEN_CGROUP]++;
		for (int i = 0; i < PAID_COUNT; i++)
			a->paid[i].unconfirmed |= is_broken(&b[i]);
		return;
	}
	for (int i = 0; i < PAID_COUNT; i++) {
		a->paid[i].unconfirmed &= !b[i].have;
		if (!b[i].have)
			continue;
		note(a, (enum paid_number)i, &b[i], false);
		a->numbers[CHECK_CGROUP]++;
		p->numbers++;
	}
}

/*
 * Reads what is still charged to the cgroup when it has no process. Memory shared with other
 * cgroups is not judged. Returns true if nothing is broken.
 */
static bool read_end(const struct auditor *a, struct paid_entry *b)
{
	static const enum paid_number gone[] = { PAID_ANON, PAID_ANON_THP, PAID_PAGETABLES };
	const struct paid_sums none = { .huge = 0 };
	bool known, any = false;

	read_all(a, NULL, 0, &none, b, &known);
	for (size_t i = 0; i < sizeof(gone) / sizeof(*gone); i++)
		b[gone[i]].most = b[gone[i]].most > 0 ? b[gone[i]].most : 0;
	for (int i = 0; i < PAID_COUNT; i++)
		any |= is_broken(&b[i]);
	return known && !any;
}

/*
 * A number may have been broken in the last audits, but not for long enough to be a finding. It
 * cannot be read again.
 */
static void note_unconfirmed(struct auditor *a)
{
	for (int i = 0; i < PAID_COUNT; i++)
		for (int side = 0; side < 2; side++)
			a->paid[i].unconfirmed |= a->paid[i].times[side] &&
						  !has_finding(a, rows[i].name);
}

void paid_judge_end(struct auditor *a)
{
	struct paid_entry b[PAID_COUNT];
	int64_t until = now_ms() + END_MS;

	note_unconfirmed(a);
	if (!a->group || !a->group->path[0] || !group_is_empty(a->group) ||
	    !group_has_none_below(a->group))
		return;
	while (!read_end(a, b) && now_ms() < until)
		nanosleep(&(struct timespec) { .tv_nsec = END_PAUSE_MS * 1000000L }, NULL);
	for (int i = 0; i < PAID_COUNT; i++)
		if (b[i].have && b[i].most >= 0) {
			note(a, (enum paid_number)i, &b[i], true);
			a->numbers[CHECK_CGROUP]++;
		}
}
