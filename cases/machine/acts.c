// SPDX-License-Identifier: MIT
/*
 * Performs acts one after another, on several kinds of memory side by side. After each act, the
 * numbers of the machine and of the cgroup must still match the memory that exists.
 */
#include "block.h"
#include "double_entry.h"
#include "range_acts.h"

STEP_SYMBOLS(LOCKED_TOO, HUGE_TOO, PAGED_OUT_TOO);

enum { SMALL_ANON, SHARED, OF_FILE, COPY, HUGE_ANON, HUGE_SHARED, REGIONS };

/* Each region has load_pages() pages. COPY is a private mapping of the file of OF_FILE. */
static char *regions[REGIONS];
static bool locked, huge_too, stays_behind;

/* The block of memory that goes offline. User memory comes from movable blocks first. */
static int block = -1;

/* ---- kinds ---- */

/* Maps huge pages of the file, or anonymous ones. NULL if the machine makes none. */
static char *map_huge(const struct workload *w, int fd)
{
	char *p = huge_map(w, fd);

	if (!p)
		return NULL;
	load_write(w, p);
	if (is_huge(w, fd < 0 ? "AnonHugePages" : "ShmemPmdMapped"))
		return p;
	munmap(p, load_bytes(w));
	return NULL;
}

/* Closes the file's descriptor, so that unmapping the file frees it. */
static char *map_shared(const struct workload *w, bool huge)
{
	int fd = huge ? shmem_huge_file(w) : shmem_file(w);
	char *p = NULL;

	if (fd >= 0)
		p = huge ? map_huge(w, fd) : load_map(w, fd, MAP_SHARED);
	close(fd);
	if (p)
		load_write(w, p);
	return p;
}

static void unmap_all(const struct workload *w)
{
	for (int i = 0; i < REGIONS; i++)
		if (regions[i])
			munmap(regions[i], load_bytes(w));
	memset(regions, 0, sizeof(regions));
	locked = false;
}

/*
 * Without readahead the page cache gets small folios. The kernel leaves large ones off the
 * unevictable list after a migration, until reclaim finds them (mm/rmap.c,
 * __folio_add_file_rmap()).
 */
static char *map_file(const struct workload *w)
{
	char *p = file_map_untouched(w);

	if (p) {
		madvise(p, load_bytes(w), MADV_RANDOM);
		load_read(w, p);
	}
	return p;
}

/* A kind that the machine lacks stays NULL. */
static char *map_all(const struct workload *w)
{
	regions[SMALL_ANON] = load_anonymous(w);
	regions[SHARED] = map_shared(w, false);
	regions[OF_FILE] = map_file(w);
	regions[COPY] = file_map_private(w);
	if (regions[COPY])
		load_write(w, regions[COPY]);
	regions[HUGE_ANON] = huge_too ? map_huge(w, -1) : NULL;
	regions[HUGE_SHARED] = huge_too ? map_shared(w, true) : NULL;
	return regions[SMALL_ANON];
}

/* ---- acts; false: not possible on this machine ---- */

static bool on_all(const struct workload *w, int first,
		   bool (*act)(const struct workload *, char *))
{
	bool done = true;

	for (int i = first; i < REGIONS; i++)
		if (regions[i])
			done &= act(w, regions[i]);
	return done;
}

static bool lock(const struct workload *w)
{
	locked = true;
	return on_all(w, 0, load_lock);
}

static bool unlock(const struct workload *w)
{
	locked = false;
	return on_all(w, 0, load_unlock);
}

static bool migrate(const struct workload *w)
{
	return on_all(w, 0, load_migrate);
}

static bool move_one(const struct workload *w, char *p)
{
	return range_move(w, p, load_bytes(w));
}

static bool move(const struct workload *w)
{
	return on_all(w, 0, move_one);
}

static bool child_writes(const struct workload *w)
{
	pid_t pid = fork();

	if (!pid)
		_exit(!on_all(w, 0, load_write));
	return pid > 0 && waitpid(pid, NULL, 0) == pid;
}

static bool cool_one(const struct workload *w, char *p)
{
	return range_cool(w, p, load_bytes(w));
}

/* The kernel refuses MADV_COLD of locked memory. */
static bool cool(const struct workload *w)
{
	return on_all(w, 0, cool_one) || locked;
}

/* Splits the entry of each huge page into one per page. */
static bool split_one(const struct workload *w, char *p)
{
	for (size_t at = 0; at < load_bytes(w); at += w->huge_page_size)
		if (!range_protect(w, p + at, w->page_size))
			return false;
	return true;
}

static bool split(const struct workload *w)
{
	return (regions[HUGE_ANON] || regions[HUGE_SHARED]) && on_all(w, HUGE_ANON, split_one);
}

static bool collapse(const struct workload *w)
{
	return (regions[HUGE_ANON] || regions[HUGE_SHARED]) && on_all(w, HUGE_ANON, load_collapse);
}

static bool page_out_one(const struct workload *w, char *p)
{
	return !syscall(SYS_madvise, p, load_bytes(w), MADV_PAGEOUT);
}

static bool page_out(const struct workload *w)
{
	int64_t room = workload_number("/proc/meminfo", "SwapFree", 0) * 1024;

	return room >= 2 * REGIONS * (int64_t)load_bytes(w) && on_all(w, 0, page_out_one);
}

/*
 * On a kernel where a node's ShmemHugePages does not follow a migration, huge shmem must not be
 * migrated permanently.
 */
static bool take_offline(const struct workload *w)
{
	(void)w;
	if (stays_behind && regions[HUGE_SHARED])
		return false;
	return block >= 0 && block_offline(block) && block_set(block, "online_movable");
}

/*
 * A child uses memory on the last CPU, which then goes offline. The kernel must add the CPU's
 * pending counts to the totals.
 */
static bool take_cpu_offline(const struct workload *w)
{
	long last = sysconf(_SC_NPROCESSORS_CONF) - 1;
	char path[64];
	cpu_set_t cpu;
	pid_t pid;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%ld/online", last);
	if (last < 1 || last >= CPU_SETSIZE || access(path, W_OK))
		return false;
	pid = fork();
	if (!pid) {
		CPU_ZERO(&cpu);
		CPU_SET((size_t)last, &cpu);
		sched_setaffinity(0, sizeof(cpu), &cpu);
		_exit(!on_all(w, 0, load_write));
	}
	return pid > 0 && waitpid(pid, NULL, 0) == pid && workload_try_to_set(path, "0") &&
	       workload_try_to_set(path, "1");
}

/* The .argument of each step. */
enum { WITH_LOCKS, WITH_HUGE, WITH_SWAP };

static const struct act {
	const char *name;
	bool (*act)(const struct workload *w);
	bool steps[3]; /* the steps that use it */
} acts[] = {
	{ "mlock", lock, { true, false, false } },
	{ "munlock", unlock, { true, false, false } },
	{ "migration", migrate, { true, true, true } },
	{ "mremap", move, { true, true, true } },
	{ "a child's write", child_writes, { true, true, true } },
	{ "MADV_COLD", cool, { true, true, false } },
	{ "a split", split, { false, true, true } },
	{ "MADV_COLLAPSE", collapse, { false, true, true } },
	{ "memory offline", take_offline, { true, true, true } },
	{ "a CPU offline", take_cpu_offline, { false, true, false } },
	{ "MADV_PAGEOUT", page_out, { false, false, true } },
};

enum { ACTS = sizeof(acts) / sizeof(*acts), CHAIN_MOST = 2 * ACTS * ACTS };

/*
 * Lists the acts so that each act follows each act (a de Bruijn sequence). With WITH_SWAP lists
 * only the pairs with the step's last act. Returns the length.
 */
static size_t list_chain(int step, const struct act *chain[CHAIN_MOST])
{
	const struct act *of[ACTS];
	size_t n = 0, len = 0;

	for (size_t i = 0; i < ACTS; i++)
		if (acts[i].steps[step])
			of[n++] = &acts[i];
	for (size_t i = 0; i < n; i++) {
		if (step != WITH_SWAP)
			chain[len++] = of[i];
		for (size_t k = i + 1; k < n; k++) {
			if (step == WITH_SWAP && k < n - 1)
				continue;
			chain[len++] = of[i];
			chain[len++] = of[k];
		}
	}
	chain[len++] = of[0];
	return len;
}

/* ---- what the ledger must show ---- */

/*
 * Returns true if the swap cache may contain pages that no process maps. Such pages are in
 * memory.current and on the LRU lists of anonymous memory.
 */
static bool has_swap_cache(int step)
{
	return step == WITH_SWAP && workload_number("/proc/meminfo", "SwapCached", 0) > 0;
}

static struct load load_of_now(int step)
{
	int anon = !!regions[SMALL_ANON] + !!regions[COPY] + !!regions[HUGE_ANON];
	int shared = !!regions[SHARED] + !!regions[HUGE_SHARED], file = !!regions[OF_FILE];
	int all = anon + shared + file, known = has_swap_cache(step) ? 0 : 1;
	int listed = locked ? 0 : known;

	return (struct load) {
		.moves = { { ANON, anon },
			   { SHMEM, shared },
			   /* nr_file_pages also counts the swap cache. */
			   { CACHE, step == WITH_SWAP ? 0 : shared + file },
			   { MAPPED, shared + file },
			   { PAID, known * all },
			   { ANON_LISTS, listed * (anon + shared) },
			   { FILE_LISTS, locked ? 0 : file },
			   { BOTH_LISTS, listed * all },
			   { UNEVICTABLE_LIST, locked ? all : 0 },
			   { LOCKED, locked ? all : 0 } },
		.any = KIND(ANON_THP) | KIND(SHMEM_THP) | KIND(SHMEM_THP_MAPPED) | KIND(FILE_THP) |
		       KIND(DIRTY) | KIND(WRITTEN_BACK) | (step == WITH_SWAP ? TO_SWAP : 0),
	};
}

/* Repeats the reading, because lists are filled and counters are folded later. */
static bool is_off_now(struct workload *w, const struct load *now, struct ledgers *b, struct off *o)
{
	for (int i = 0; i < TRIES; i++) {
		settle(w);
		b->read(w, b->during);
		if (!is_off_during(w, now, b->before, b->during, (int64_t)load_pages(w), o))
			return are_sums_off(w, b, b->during, o);
	}
	return true;
}

static bool act_and_touch(const struct workload *w, const struct act *a)
{
	bool done = a->act(w);

	on_all(w, 0, load_read);
	return done;
}

/*
 * Returns the index of the act after which a line is off, `len` if a line is off only after
 * everything is unmapped, or -1 if none is.
 */
static int64_t run_chain(struct workload *w, int step, const struct act *const *chain, size_t len,
			 struct ledgers *b, struct off *o, int64_t *done)
{
	struct load now;

	settle(w);
	b->read(w, b->before);
	if (!map_all(w))
		workload_die(w, "mmap: %m");
	*done = 0;
	for (size_t i = 0; i < len; i++) {
		*done += act_and_touch(w, chain[i]);
		now = load_of_now(step);
		if (is_off_now(w, &now, b, o)) {
			unmap_all(w);
			drop_file(w);
			return (int64_t)i;
		}
	}
	unmap_all(w);
	drop_file(w);
	return stays_off_after(w, &now, b, o) ? (int64_t)len : -1;
}

/*
 * Migrates a huge page of shmem to node 1 and back, and reports whether nr_shmem_hugepages counts
 * it there. migrate_page_move_mapping() of 5.10 moves nr_file_pages and nr_shmem, but not this
 * number.
 */
static void migrate_huge_shmem(struct workload *w)
{
	char *p = map_shared(w, true), vmstat[64];
	int to = p && workload_node(p) != 1;
	int64_t before;

	snprintf(vmstat, sizeof(vmstat), "/sys/devices/system/node/node%d/vmstat", to);
	before = workload_number(vmstat, "nr_shmem_hugepages", -1);
	if (!p)
		return;
	if (before >= 0 && workload_migrate(p, to) == to) {
		settle(w);
		stays_behind = workload_number(vmstat, "nr_shmem_hugepages", -1) == before;
		workload_report(w, "stays behind", stays_behind);
	}
	workload_migrate(p, !to);
	munmap(p, load_bytes(w));
}

/*
 * Reports Mlocked of meminfo, in kB, before and after locked huge pages migrate.
 * __folio_add_anon_rmap() locks only small folios again, and leaves large ones to reclaim.
 */
static void migrate_locked_huge(struct workload *w)
{
	char *p = map_huge(w, -1);
	int64_t before;

	if (!p)
		return;
	workload_must(w, mlock(p, load_bytes(w)), "mlock");
	settle(w);
	before = workload_number("/proc/meminfo", "Mlocked", 0);
	if (load_migrate(w, p) && thp_stays(w, p)) {
		settle(w);
		workload_report(w, "Mlocked before", before);
		workload_report(w, "Mlocked after", workload_number("/proc/meminfo", "Mlocked", 0));
	}
	munmap(p, load_bytes(w));
}

/* The case fails only if a line is off after the same act, by about the same number, each time. */
static void run_acts(struct workload *w)
{
	static const struct load nothing = { .name = "nothing" };
	const struct act *chain[CHAIN_MOST];
	int step = (int)w->argument;
	struct ledgers *b = ledgers_open(w, ledger_read);
	size_t len = list_chain(step, chain);
	struct off o, first = { .when = NULL };
	int64_t done = 0, at = -1, was = -1;

	huge_too = step != WITH_LOCKS;
	/* A load grows with the number of CPUs, and a child that writes doubles it. */
	if (workload_number("/proc/meminfo", "MemAvailable", 0) * 1024 <
	    3 * REGIONS * (int64_t)load_bytes(w))
		workload_skip(w, "%zu MiB of available memory", 3 * REGIONS * load_bytes(w) >> 20);
	if (huge_too)
		migrate_huge_shmem(w);
	ledger_enter(w); /* skips the case without a cgroup of its own */
	block = block_make_movable(0);
	take(w, &nothing, b);
	for (int i = 0; i < TRIES; i++) {
		at = run_chain(w, step, chain, len, b, &o, &done);
		if (at < 0 || (i && (at != was || !is_off_alike(w, &o, &first))))
			break;
		was = at;
		first = o;
		if (i == TRIES - 1)
			workload_fail(w, "%s after %s: %s %s %" PRId64 " pages %s, but %s %" PRId64,
				      at < (int64_t)len ? chain[at]->name : "munmap",
				      at ? chain[at - 1]->name : "mmap", o.name, off_verb(&o), o.by,
				      o.when, o.must, o.expected);
	}
	if (!huge_too)
		migrate_locked_huge(w);
	block_restore(block);
	workload_cgroup_leave(w);
	ledgers_close(w, b, done);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { LOCKED_TOO, HUGE_TOO, PAGED_OUT_TOO };

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (trial_reported(t, steps[i], "loads") <= 0)
			judge_skip(
				j,
				"a machine on which at least one act (mlock, migration, mremap ...) of each step is possible");
	if (trial_reported_or(t, HUGE_TOO, "stays behind", -1) >= 0)
		judge_fact(j, "thp.node_of_huge_shmem_after_migration", "%s",
			   trial_reported(t, HUGE_TOO, "stays behind") ? "the old one"
								       : "the new one");
	if (trial_reported_or(t, LOCKED_TOO, "Mlocked before", 0) > 0)
		judge_fact(j, "thp.locked_after_migration", "%s",
			   trial_reported(t, LOCKED_TOO, "Mlocked after") <
					   trial_reported(t, LOCKED_TOO, "Mlocked before") / 2
				   ? "no"
				   : "yes");
}

CASE(machine_acts) {
	.claim =
		"Memory counters of the machine, its nodes and the cgroup stay right after mlock, migration, mremap, fork, splitting, collapsing, paging out and offlining; on some kernels a few of them miscount huge pages that migrate",
	.because =
		"None of these operations allocates or frees memory permanently. A page that is moved, copied, split, or paged out and read again is subtracted from a counter and added to it again; a locked page is on the unevictable list.",
	.said_by = SAID_BY("proc_meminfo(5)",
			   "Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_THP | CASE_ONE_CPU | CASE_OFFLINES,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(LOCKED_TOO, "each act after each, with locked memory", run_acts,
			       .argument = WITH_LOCKS, .checks = 1),
		       STEP_AS(HUGE_TOO, "each act after each, with huge pages", run_acts,
			       .argument = WITH_HUGE, .checks = 1),
		       STEP_AS(PAGED_OUT_TOO, "paged out before and after each act", run_acts,
			       .argument = WITH_SWAP, .checks = 1)),
	.facts = FACTS(FACT("thp.node_of_huge_shmem_after_migration",
			    "After a huge page of shmem migrates to another node, the node whose "
			    "ShmemHugePages counts it is",
			    "the new one|the old one"),
		       FACT("thp.locked_after_migration",
			    "Does Mlocked still count a locked huge page after its migration?",
			    "yes|no")),
	.judge = judge,
};
