// SPDX-License-Identifier: MIT
#include "left.h"
#include "base/clock.h"
#include "base/kernel_file.h"
#include "base/kmsg.h"
#include "base/memory.h"
#include <glob.h>
#include <inttypes.h>
#include <linux/membarrier.h>
#include <rssck/source.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ASKED = 64, ASKED_ENOUGH = 2, OWN_TRIES = 4, ANY_RISE = 0 };

/* How a number can change without the case. */
enum {
	EXACT = 0,
	PER_CPU = 1 << 0, /* each CPU holds back a part of it, which vm.stat_refresh adds */
	OURS = 1 << 1,    /* it counts while rssck's own memory stays as it is */
	LATE = 1 << 2,    /* it falls a little later: no reason to run a case again */
	KERNELS = 1 << 3, /* it may count the kernel's own page tables, too */
};

/* rssck's own memory: VmSize in pages, the others in kB. */
struct own {
	int64_t size, file, anonymous, tables;
};

struct left {
	struct left_number *of;
	size_t nr;
	struct own own;
	bool folded; /* each CPU's part was added before (vm.stat_refresh) */
};

/*
 * Only memory that goes with its process, mapping or file. No page cache, slab or free memory, as
 * these stay for the next user; no SwapFree, as a CPU keeps up to 64 free slots before 6.17
 * (mm/swap_slots.c); no nr_hugetlb, which each migrated page lowers before 7.3.4
 * (hugetlb/cgroup_migration).
 */
static const struct stock {
	const char *files; /* may have wildcards */
	const char *line;  /* NULL: the file is one number */
	const char *unit;
	unsigned flags;
} stocks[] = {
	{ "/proc/meminfo", "AnonPages", " kB", PER_CPU },
	{ "/proc/meminfo", "Mapped", " kB", PER_CPU | OURS },
	{ "/proc/meminfo", "Shmem", " kB", PER_CPU },
	{ "/proc/meminfo", "PageTables", " kB", PER_CPU | LATE | KERNELS },
	{ "/proc/meminfo", "KernelStack", " kB", PER_CPU },
	{ "/proc/meminfo", "Zswap", " kB", EXACT },
	{ "/proc/meminfo", "Zswapped", " kB", EXACT },
	{ "/proc/meminfo", "Committed_AS", " kB", OURS },
	{ "/proc/meminfo", "Hugetlb", " kB", EXACT },
	{ "/proc/vmstat", "nr_mlock", "", PER_CPU },
	{ "/proc/vmstat", "nr_sec_page_table_pages", "", PER_CPU },
	{ "/proc/vmstat", "nr_bounce", "", PER_CPU },
	{ "/proc/vmstat", "nr_writeback_temp", "", PER_CPU },
	{ "/proc/vmstat", "nr_anon_transparent_hugepages", "", PER_CPU },
	{ "/proc/vmstat", "nr_shmem_hugepages", "", PER_CPU },
	{ "/proc/vmstat", "nr_shmem_pmdmapped", "", PER_CPU },
	{ "/proc/vmstat", "nr_file_hugepages", "", PER_CPU },
	{ "/proc/vmstat", "nr_file_pmdmapped", "", PER_CPU },
	{ "/proc/vmstat", "nr_unevictable", "", PER_CPU },
	{ "/proc/vmstat", "nr_isolated_anon", "", PER_CPU },
	{ "/proc/vmstat", "nr_isolated_file", "", PER_CPU },
	{ "/sys/kernel/mm/hugepages/*/*_hugepages", NULL, " huge pages", EXACT },
	{ "/sys/kernel/mm/transparent_hugepage/hugepages-*/stats/nr_*", NULL, " folios", EXACT },
	{ "/sys/kernel/mm/ksm/pages_sh*", NULL, " pages", EXACT },
	{ "/sys/kernel/mm/ksm/ksm_zero_pages", NULL, " pages", EXACT },
};

struct left_number {
	char name[112];
	int64_t value;
	const struct stock *stock;
};

/*
 * Known bugs of kernels that leave a number higher, for which another case has a fact: the
 * beginning of the case's id, and the end of the number's name.
 */
static const struct {
	const char *id, *number;
} known[] = {
	/* FINDINGS 56, virtual/committed */
	{ "anonymous/mremap_dontunmap", "Committed_AS of /proc/meminfo" },
	{ "atlas/", "Committed_AS of /proc/meminfo" },
};

static bool is_known(const char *id, const char *number)
{
	size_t len = strlen(number);

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		size_t end = strlen(known[i].number);

		if (!strncmp(id, known[i].id, strlen(known[i].id)) && len >= end &&
		    !strcmp(number + len - end, known[i].number))
			return true;
	}
	return false;
}

/*
 * Makes all CPUs finish what they hold in batches (mm/swap.c, mm/mlock.c): do_pages_move() calls
 * lru_add_drain_all(), also if the page is on that node already.
 */
static void drain_batches(void)
{
	void *page = __builtin_frame_address(0);
	int node = -1, status;

	if (!syscall(SYS_move_pages, 0, 1UL, &page, NULL, &node, 0) && node >= 0)
		syscall(SYS_move_pages, 0, 1UL, &page, &node, &status, 0);
}

static void add(struct left *l, const struct stock *s, const char *name, int64_t value)
{
	struct left_number *n;

	l->of = memory_one_more(l->of, l->nr, sizeof(*l->of), "the machine's numbers");
	n = &l->of[l->nr++];
	*n = (struct left_number) { .value = value, .stock = s };
	snprintf(n->name, sizeof(n->name), "%s%s%s", s->line ? s->line : "", s->line ? " of " : "",
		 name);
}

/* A file of lines, which is read once for all its rows. */
struct lines {
	struct text text;
	const char *path; /* NULL: none was read */
};

static int64_t line_of(struct lines *f, const char *path, const char *line)
{
	if (!f->path || strcmp(f->path, path)) {
		f->text.len = 0;
		f->path = text_read(&f->text, 0, path) ? NULL : path;
	}
	return f->path ? kernel_number_in(f->text.data, line, -1) : -1;
}

static void read_lines(struct left *l, const struct stock *s, const char *path, struct lines *f)
{
	int64_t value = line_of(f, path, s->line);

	if (value >= 0)
		add(l, s, path, value);
}

/*
 * Before 7.2 nr_anon of a size of hugetlb pages counts each of them that migrates (FINDINGS 62,
 * hugetlb/migration_stats).
 */
static bool counts_hugetlb(const char *path)
{
	const char *size = strstr(path, "hugepages-"), *end = strstr(path, "/stats/nr_anon");
	char pool[112];

	if (!size || !end || end[strlen("/stats/nr_anon")])
		return false;
	snprintf(pool, sizeof(pool), "/sys/kernel/mm/hugepages/%.*s", (int)(end - size), size);
	return !access(pool, F_OK);
}

static void read_each(struct left *l, const struct stock *s)
{
	glob_t found;

	if (!glob(s->files, 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			if (!counts_hugetlb(found.gl_pathv[i]))
				add(l, s, found.gl_pathv[i],
				    kernel_number(found.gl_pathv[i], NULL, -1));
	globfree(&found);
}

/* shmctl(2) counts the segments of System V and their pages. */
static void read_segments(struct left *l)
{
	static const struct stock segments = { .line = "used_ids", .unit = " segments" },
				  pages = { .line = "shm_tot", .unit = " pages" };
	struct shm_info now;

	if (shmctl(0, SHM_INFO, (struct shmid_ds *)&now) < 0)
		return;
	add(l, &segments, "SHM_INFO", now.used_ids);
	add(l, &pages, "SHM_INFO", (int64_t)now.shm_tot);
}

/* Pins of pages that are still held. */
static void read_pins(struct left *l, struct lines *f)
{
	static const struct stock pins = { .line = "nr_foll_pin_acquired - nr_foll_pin_released",
					   .unit = " pages",
					   .flags = PER_CPU };
	int64_t acquired = line_of(f, "/proc/vmstat", "nr_foll_pin_acquired");
	int64_t released = line_of(f, "/proc/vmstat", "nr_foll_pin_released");

	if (acquired >= 0 && released >= 0)
		add(l, &pins, "/proc/vmstat", acquired - released);
}

/* Takes rssck's own memory out of the numbers that count all processes' memory. */
static void without_own(struct left *l, const char *name, int64_t own)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < l->nr; i++)
		if (!strncmp(l->of[i].name, name, len) && l->of[i].name[len] == ' ')
			l->of[i].value -= own;
}

static struct own own_now(void)
{
	struct numbered of[] = { { .field = "Rss" }, { .field = "Anonymous" } };

	kernel_numbers("/proc/self/smaps_rollup", of, 2);
	return (struct own) { .size = kernel_number("/proc/self/statm", NULL, 0),
			      .file = of[0].value - of[1].value,
			      .anonymous = of[1].value,
			      .tables = kernel_number("/proc/self/status", "VmPTE", 0) };
}

/*
 * A number of vmstat below 0 is printed as 0, but vmstat_refresh() (mm/vmstat.c) writes it to the
 * kernel's log: "vmstat_refresh: nr_mlock -3".
 */
static void read_below_zero(struct left *l, int log)
{
	char record[KMSG_RECORD], name[48];
	int64_t value;

	while (log >= 0 && kmsg_next(log, record)) {
		if (sscanf(record, "%*[^;];vmstat_refresh: %47s %" SCNd64, name, &value) != 2)
			continue;
		for (size_t i = 0; i < l->nr; i++)
			if (l->of[i].stock->line && !strcmp(l->of[i].stock->line, name))
				l->of[i].value = value;
	}
}

static void read_all(struct left *l)
{
	struct lines f = { .path = NULL };
	int log = kmsg_open();

	drain_batches();
	l->folded = kernel_set("/proc/sys/vm/stat_refresh", "1");
	for (size_t i = 0; i < sizeof(stocks) / sizeof(*stocks); i++)
		if (stocks[i].line)
			read_lines(l, &stocks[i], stocks[i].files, &f);
		else
			read_each(l, &stocks[i]);
	read_pins(l, &f);
	text_free(&f.text);
	read_below_zero(l, log);
	if (log >= 0)
		close(log);
	read_segments(l);
}

/* Reads again if rssck itself took memory meanwhile, which the numbers may or may not include. */
static struct left *read_now(void)
{
	struct left *l = calloc(1, sizeof(*l));
	struct own before;
	int tries = 0;

	if (!l)
		memory_gone("the machine's numbers");
	do {
		l->nr = 0;
		before = own_now();
		read_all(l);
		l->own = own_now();
	} while (memcmp(&before, &l->own, sizeof(before)) && ++tries < OWN_TRIES);
	without_own(l, "AnonPages", l->own.anonymous);
	without_own(l, "PageTables", l->own.tables);
	return l;
}

void left_free(struct left *l)
{
	if (l)
		free(l->of);
	free(l);
}

static bool are_comparable(const struct left *a, const struct left *b)
{
	if (a->nr != b->nr)
		return false;
	for (size_t i = 0; i < a->nr; i++)
		if (strcmp(a->of[i].name, b->of[i].name))
			return false;
	return true;
}

/* Returns by how much the number is higher in `b`; 0 if it proves nothing there. */
static int64_t rise(const struct left *a, const struct left *b, size_t i)
{
	unsigned flags = a->of[i].stock->flags;

	if (flags & PER_CPU && !(a->folded && b->folded))
		return 0;
	if (flags & OURS && (a->own.size != b->own.size || a->own.file != b->own.file))
		return 0;
	return b->of[i].value - a->of[i].value;
}

/*
 * Rises that need no more runs: those that runs have refuted, because rssck or others cause them
 * now and then; and numbers of which any rise was proved, because more cases would only repeat it.
 */
static struct {
	char name[112];
	int64_t by; /* ANY_RISE: the number was proved to rise */
	unsigned times;
} asked[ASKED];

static unsigned *times_asked(const char *name, int64_t by)
{
	size_t i = 0;

	while (i < ASKED - 1 && asked[i].times &&
	       (asked[i].by != by || strcmp(asked[i].name, name)))
		i++;
	if (!asked[i].times) {
		asked[i].by = by;
		snprintf(asked[i].name, sizeof(asked[i].name), "%s", name);
	}
	return &asked[i].times;
}

static bool needs_runs(const char *name, int64_t by)
{
	return *times_asked(name, by) < ASKED_ENOUGH && *times_asked(name, ANY_RISE) < ASKED_ENOUGH;
}

static void keep_refuted(const struct left *before, const struct left *now)
{
	for (size_t i = 0; i < now->nr; i++)
		if (rise(before, now, i))
			++*times_asked(now->of[i].name, rise(before, now, i));
}

bool left_differ(const struct left *before, const struct left *now)
{
	if (!are_comparable(before, now))
		return false;
	for (size_t i = 0; i < now->nr; i++)
		if (!(now->of[i].stock->flags & LATE) && rise(before, now, i) &&
		    needs_runs(now->of[i].name, rise(before, now, i)))
			return true;
	return false;
}

/*
 * Page tables are freed by RCU (tlb_remove_table()), some hundredths of a second after a process
 * has ended; membarrier(2) waits for that.
 */
struct left *left_read(const struct left *before)
{
	struct left *l = read_now();

	if (!before || !left_differ(before, l))
		return l;
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	left_free(l);
	return read_now();
}

/*
 * A neighbour who raises a number now and then can imitate a run that leaves it higher by 1 and a
 * pause that does not: with a chance of at most 1/2e = 0.18 (Poisson, one rise in two such times),
 * in six runs 4e-5.
 */
enum { RUNS = 6, RUNS_MOST = 64, LAZY_BYTES = 32 << 20 };

/* The rises that are not refuted yet; 0: refuted. */
struct proof {
	int64_t *rises;
	size_t nr;
	struct left *last;
	int runs; /* so many have left the same */
};

static void keep_proved(const struct proof *p)
{
	for (size_t i = 0; i < p->nr; i++)
		if (p->rises[i])
			++*times_asked(p->last->of[i].name, ANY_RISE);
}

static bool is_refuted(const struct proof *p)
{
	for (size_t i = 0; i < p->nr; i++)
		if (p->rises[i])
			return false;
	return true;
}

/* Refutes what does not change as `expected` says. Returns false if nothing is left to prove. */
static bool compare(struct proof *p, int64_t (*expected)(int64_t rise, int64_t now))
{
	struct left *last = p->last;
	bool comparable;

	p->last = left_read(last);
	comparable = are_comparable(last, p->last);
	for (size_t i = 0; comparable && i < p->nr; i++)
		p->rises[i] = expected(p->rises[i], rise(last, p->last, i));
	left_free(last);
	return comparable && !is_refuted(p);
}

/* The case may have run on two CPUs before, so that only the sign must be the same. */
static int64_t same_sign(int64_t rise, int64_t now)
{
	return (rise > 0 && now > 0) || (rise < 0 && now < 0) ? now : 0;
}

static int64_t same(int64_t rise, int64_t now)
{
	return rise == now ? rise : 0;
}

static int64_t still(int64_t rise, int64_t now)
{
	return now ? 0 : rise;
}

/* Returns how many processes and threads were ever started here; -1 if that is not known. */
static int64_t started(void)
{
	return kernel_number("/proc/stat", "processes", -1);
}

/* Waits as long as a run. Meanwhile no number may change, and nobody may start a process. */
static bool pause_proves(struct proof *p, int64_t ms)
{
	int64_t before = started();

	nanosleep(&(struct timespec) { ms / 1000, ms % 1000 * 1000000 }, NULL);
	return compare(p, still) && started() == before;
}

/*
 * On 7.3 PageTables includes the tables of vmalloc(), which stay for the next user. Addresses
 * that vfree() gives up are reused only when lazy_max_pages() of them have come together
 * (mm/vmalloc.c), so until then each run may take new tables. Returns these tables, in kB.
 */
static int64_t kernels_own_most(void)
{
	int64_t entries = sysconf(_SC_PAGESIZE) / (int64_t)sizeof(void *), bytes = 0;

	for (long cpus = sysconf(_SC_NPROCESSORS_ONLN); cpus; cpus /= 2)
		bytes += LAZY_BYTES;
	return bytes / entries / 1024;
}

static bool is_beyond(const struct proof *p, size_t i, int64_t kernels)
{
	return !(p->last->of[i].stock->flags & KERNELS) || llabs(p->rises[i]) * p->runs > kernels;
}

/* True if one of the rises is proved; those that are not are dropped then. */
static bool are_enough(struct proof *p)
{
	int64_t kernels = kernels_own_most();
	bool enough = false;

	for (size_t i = 0; i < p->nr; i++)
		enough = enough || (p->rises[i] && is_beyond(p, i, kernels));
	for (size_t i = 0; enough && i < p->nr; i++)
		if (!is_beyond(p, i, kernels))
			p->rises[i] = 0;
	return enough;
}

static bool runs_prove(struct proof *p, const struct left_runs *again)
{
	while (p->runs < RUNS || (p->runs < RUNS_MOST && !are_enough(p))) {
		int64_t start = now_ms();

		if (!again->run(again->arg) || !compare(p, p->runs ? same : same_sign) ||
		    !pause_proves(p, now_ms() - start))
			return false;
		p->runs++;
	}
	return are_enough(p);
}

static void say(const struct proof *p, char *why, size_t size)
{
	size_t i = 0;

	while (!p->rises[i])
		i++;
	snprintf(why, size,
		 "each run of the case leaves %s %s by %" PRId64 "%s (%d runs in a row; it does "
		 "not change while no case runs)",
		 p->last->of[i].name, p->rises[i] > 0 ? "higher" : "lower",
		 p->rises[i] > 0 ? p->rises[i] : -p->rises[i], p->last->of[i].stock->unit, p->runs);
}

bool left_is_proved(const struct left *before, const struct left *now,
		    const struct left_runs *again, char *why, size_t size)
{
	struct proof p = { .nr = now->nr };
	bool proved;

	p.rises = calloc(now->nr, sizeof(*p.rises));
	if (!p.rises)
		memory_gone("the machine's numbers");
	for (size_t i = 0; i < p.nr; i++)
		if (!is_known(again->id, now->of[i].name) &&
		    needs_runs(now->of[i].name, rise(before, now, i)))
			p.rises[i] = rise(before, now, i);
	p.last = left_read(now);
	proved = !is_refuted(&p) && are_comparable(now, p.last) && runs_prove(&p, again);
	if (proved) {
		say(&p, why, size);
		keep_proved(&p);
	} else {
		keep_refuted(before, now);
	}
	free(p.rises);
	left_free(p.last);
	return proved;
}
