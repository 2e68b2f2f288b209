// SPDX-License-Identifier: MIT
/*
 * Events of acts on huge pages of each kind of memory, beside the same acts on as many small pages:
 * both count as many. Acts that the LRU lists decide about are done with and without MGLRU.
 */
#include "event_acts.h"
#include "event_names.h"

STEP_SYMBOLS(ACT);

enum { TRIES = 3, HUGE_PAGES = 2, HUGE_MOST = 32 << 20, LINES = 400, EVENTS = 4, TEXT = 16 << 10 };
enum { SMALL, HUGE, SIZES };

/* ---- memory: each kind as small and as huge pages ---- */

static int shmem_fd;

static char *make_anon(const struct workload *w, int size)
{
	return size == HUGE ? huge_anon(w) : load_anonymous(w);
}

static char *make_shmem(const struct workload *w, int size)
{
	char *p;

	shmem_fd = size == HUGE ? shmem_huge_file(w) : shmem_file(w);
	if (shmem_fd < 0)
		return NULL;
	p = size == HUGE ? huge_map(w, shmem_fd) : load_map(w, shmem_fd, MAP_SHARED);
	if (p)
		load_write(w, p);
	return p && (size == SMALL || is_huge(w, "ShmemPmdMapped")) ? p : NULL;
}

/* SHM_LOCK makes the pages unevictable when they are allocated. */
static char *make_segment(const struct workload *w, int size)
{
	char *p = size == HUGE ? segment_map_locked_huge(w, load_bytes(w)) : load_segment(w);

	return p && (size == SMALL || is_huge(w, "ShmemPmdMapped")) ? p : NULL;
}

/* Huge pages of the pool, as many bytes as transparent huge pages. */
static char *make_pool(const struct workload *w, int size)
{
	char *p;

	if (size == SMALL || workload_hugetlb_bytes() != w->huge_page_size)
		return size == SMALL ? load_anonymous(w) : NULL;
	p = pool_map(HUGE_PAGES, MAP_PRIVATE);
	if (p && syscall(SYS_madvise, p, load_bytes(w), LOAD_POPULATE))
		return NULL;
	return p;
}

/* ---- acts ---- */

static bool advise_cold(const struct workload *w, char *p)
{
	return range_cool(w, p, load_bytes(w));
}

/* The second read of a page makes it active. */
static bool read_twice(const struct workload *w, char *unused)
{
	(void)unused;
	for (size_t i = 0; i < 2 * load_pages(w); i++)
		if (pread(shmem_fd, workload_buffer, w->page_size, (off_t)(i / 2 * w->page_size)) !=
		    (ssize_t)w->page_size)
			return false;
	return true;
}

static bool page_out(const struct workload *w, char *p)
{
	return load_page_out(w, p) && act_pages_out(w, p) == (int64_t)load_pages(w);
}

static bool migrate_pool(const struct workload *w, char *p)
{
	size_t by = workload_number("/proc/self/smaps_rollup", "Private_Hugetlb", 0) > 0
			    ? w->huge_page_size
			    : w->page_size;
	bool there = true;

	for (int times = 0; times < 2; times++)
		for (size_t at = 0; at < load_bytes(w); at += by)
			there &= workload_migrate_to_other(p + at) >= 0;
	return there;
}

/*
 * Acts in the order in which they are performed on the same memory. `times` is how often an event
 * must count each page; 0 if the kernel decides whether it does: small pages show that. KERNELS are
 * events of which no number is expected, because kernels count them differently: 5.10 counts a huge
 * page once in nr_vmscan_write. A fact says how hugetlb pages are counted.
 */
enum { KERNELS = -1 };

struct act {
	const char *name;
	bool (*act)(const struct workload *w, char *p);
	struct {
		const char *event;
		int times;
	} events[EVENTS];
};

/* Acts on anonymous memory and on shmem. */
/* clang-format off */
#define ACTS_OF_BOTH                                                                           \
	{ "lock", load_lock,                                                                   \
	  { { "unevictable_pgs_mlocked", 1 }, { "unevictable_pgs_culled", 1 } } },             \
	{ "unlock", load_unlock,                                                               \
	  { { "unevictable_pgs_munlocked", 1 }, { "unevictable_pgs_rescued", 1 } } },          \
	{ "migrate", load_migrate, { { "pgmigrate_success", 2 } } },                           \
	{ "MADV_COLD", advise_cold, { { "pgdeactivate", 0 } } }
/* clang-format on */

static const struct act of_anon[] = {
	ACTS_OF_BOTH,
	{ "MADV_FREE", load_free, { { "pglazyfree", 1 } } },
	{ NULL, NULL, { { NULL, 0 } } },
};

static const struct act of_swap[] = {
	{ "page out",
	  page_out,
	  { { "pswpout", 0 }, { "nr_written", KERNELS }, { "nr_vmscan_write", KERNELS } } },
	{ "read back", load_read, { { "pswpin", 0 } } },
	{ NULL, NULL, { { NULL, 0 } } },
};

static const struct act of_shmem[] = {
	ACTS_OF_BOTH,
	{ "read twice", read_twice, { { "pgactivate", 0 } } },
	{ "MADV_COLD again", advise_cold, { { "pgdeactivate", 0 } } },
	{ NULL, NULL, { { NULL, 0 } } },
};

static const struct act of_segment[] = {
	{ "SHM_UNLOCK",
	  load_segment_unlock,
	  { { "unevictable_pgs_scanned", 1 }, { "unevictable_pgs_rescued", 1 } } },
	{ NULL, NULL, { { NULL, 0 } } },
};

static const struct act of_pool[] = {
	{ "migrate", migrate_pool, { { "pgmigrate_success", KERNELS } } },
	{ NULL, NULL, { { NULL, 0 } } },
};

/* `by_lists`: some acts activate or deactivate pages, which differs without MGLRU. */
static const struct memory {
	const char *name;
	char *(*make)(const struct workload *w, int size);
	const struct act *acts;
	bool by_lists;
} memories[] = {
	{ "anonymous memory", make_anon, of_anon, true },
	{ "anonymous memory on swap", make_anon, of_swap, false },
	{ "shmem", make_shmem, of_shmem, true },
	{ "a System V segment", make_segment, of_segment, false },
	{ "hugetlb pages", make_pool, of_pool, false },
};

enum { MEMORIES = sizeof(memories) / sizeof(*memories), ACTS = 6 };

/* ---- counting ---- */

/* One line of vmstat or memory.stat, and its smallest rise during each act. */
struct line {
	const char *file;
	char name[40];
	int64_t rose[ACTS][SIZES];
};

/* Other processes may add to an event, so if one is off, the least of several tries counts. */
static struct {
	size_t nr;
	bool done[ACTS][SIZES];
	struct line *of;
	int64_t *before, *after;
} seen;

static char wrong[256];

static void lines_of(const char *file, const char *path, int64_t *values, size_t *nr)
{
	static char text[TEXT];

	workload_read_text(path, text, sizeof(text));
	for (const char *at = text; *at && *nr < LINES; at += strcspn(at, "\n") + 1) {
		struct line *l = &seen.of[*nr];
		long long value;

		if (sscanf(at, "%39s %lld", l->name, &value) == 2 &&
		    event_name_is_of_acts(l->name)) {
			l->file = file;
			values[(*nr)++] = value;
		}
		if (!strchr(at, '\n'))
			break;
	}
}

static void lines_read(struct workload *w, int64_t *values)
{
	char path[WORKLOAD_CGROUP_PATH];

	cpus_drain_lists();
	workload_cgroup_settle(w);
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
	seen.nr = 0;
	lines_of("vmstat", "/proc/vmstat", values, &seen.nr);
	/* Where memory.stat lacks pgscan_direct (5.10), CPUs hold back its events. */
	if (workload_cgroup_events(w, "pgscan_direct") >= 0)
		lines_of("memory.stat", workload_cgroup_path(w, "memory.stat", path), values,
			 &seen.nr);
}

/* The events that are counted when a CPU's batch goes to the LRU lists belong to the act. */
static void act_once(struct workload *w, const struct memory *m, int size, size_t act, char *p)
{
	bool first = !seen.done[act][size];

	lines_read(w, seen.before);
	if (!m->acts[act].act(w, p))
		return;
	lines_read(w, seen.after);
	for (size_t i = 0; i < seen.nr; i++) {
		int64_t *least = &seen.of[i].rose[act][size], n = seen.after[i] - seen.before[i];

		if (first || n < *least)
			*least = n;
	}
	seen.done[act][size] = true;
}

static bool act_all(struct workload *w, const struct memory *m, int size)
{
	char *p;

	shmem_fd = -1;
	p = m->make(w, size);
	for (size_t act = 0; p && m->acts[act].name; act++)
		act_once(w, m, size, act, p);
	if (p)
		munmap(p, load_bytes(w));
	if (shmem_fd >= 0)
		close(shmem_fd);
	return p;
}

/* ---- judging ---- */

static int times_of(const struct act *a, const char *event)
{
	for (size_t i = 0; i < EVENTS && a->events[i].event; i++)
		if (!strcmp(a->events[i].event, event))
			return a->events[i].times;
	return 0;
}

/*
 * A fault, and an event that counts huge pages, are other numbers. The rest count pages: if small
 * pages count once or twice each, huge pages must count as many.
 */
static bool is_right(const struct workload *w, const struct line *l, int times, int64_t small,
		     int64_t huge)
{
	int64_t pages = (int64_t)load_pages(w), must = times > 0 ? times * pages : small;

	if (times > 0 && !strcmp(l->file, "vmstat") && small < must)
		return false;
	if (!strncmp(l->name, "thp_", 4) || !strncmp(l->name, "pgfault", 7) ||
	    !strcmp(l->name, "pgmajfault") || times == KERNELS)
		return true;
	return !must || must % pages || huge == must;
}

static bool memory_is_right(struct workload *w, const struct memory *m, const char *lists)
{
	for (size_t act = 0; m->acts[act].name; act++) {
		if (!seen.done[act][SMALL] || !seen.done[act][HUGE])
			continue;
		for (size_t i = 0; i < seen.nr; i++) {
			const struct line *l = &seen.of[i];
			int64_t small = l->rose[act][SMALL], huge = l->rose[act][HUGE];

			if (is_right(w, l, times_of(&m->acts[act], l->name), small, huge))
				continue;
			snprintf(wrong, sizeof(wrong),
				 "%s, %s%s, %zu pages: %s of %s rose by %lld for small pages and "
				 "by %lld for huge pages",
				 m->name, m->acts[act].name, lists, load_pages(w), l->name, l->file,
				 (long long)small, (long long)huge);
			return false;
		}
	}
	return true;
}

/* Reports how often the huge pages were counted for each time that their small pages were. */
static void report_ratios(struct workload *w, const struct memory *m)
{
	for (size_t act = 0; m->acts[act].name; act++)
		for (size_t i = 0; seen.done[act][HUGE] && i < seen.nr; i++) {
			const struct line *l = &seen.of[i];
			int64_t small = l->rose[act][SMALL];

			if (times_of(&m->acts[act], l->name) == KERNELS && small > 0 &&
			    !strcmp(l->file, "vmstat"))
				workload_report(w, l->name, l->rose[act][HUGE] * w->huge / small);
		}
	workload_report(w, "huge", w->huge);
}

/* Returns the number of acts that were possible; -1 if an event is wrong. */
static int act_on_memory(struct workload *w, const struct memory *m, const char *lists)
{
	bool right = false;
	int done = 0;

	memset(seen.done, 0, sizeof(seen.done));
	for (int i = 0; i < TRIES && !right; i++) {
		for (int size = 0; size < SIZES; size++)
			if (!act_all(w, m, size))
				return 0;
		right = memory_is_right(w, m, lists);
	}
	for (size_t act = 0; m->acts[act].name; act++)
		done += seen.done[act][SMALL] && seen.done[act][HUGE];
	report_ratios(w, m);
	return right ? done : -1;
}

static int act_on_memories(struct workload *w, bool lists)
{
	int done = 0;

	for (size_t i = 0; i < MEMORIES; i++) {
		int n = 0;

		if (!lists || memories[i].by_lists)
			n = act_on_memory(w, &memories[i], lists ? " without MGLRU" : "");
		if (n < 0)
			return n;
		done += n;
	}
	return done;
}

static void act_on_both(struct workload *w)
{
	int64_t generations = generations_now();
	int done;

	if (!w->huge || w->huge_page_size > HUGE_MOST)
		workload_skip_step(w, "transparent huge pages of at most 32 MiB");
	w->number[LOAD_PAGES] = HUGE_PAGES * w->huge;
	seen.of = calloc(LINES, sizeof(*seen.of));
	seen.before = calloc(2 * LINES, sizeof(*seen.before));
	if (!seen.of || !seen.before)
		workload_die(w, "calloc: %m");
	seen.after = seen.before + LINES;
	workload_cgroup_enter(w);
	done = act_on_memories(w, false);
	if (done >= 0 && generations > 0 && workload_try_to_set(GENERATIONS, "0")) {
		done = act_on_memories(w, true);
		workload_try_to_set_number(GENERATIONS, generations);
	}
	workload_cgroup_leave(w);
	if (done < 0)
		workload_fail(w, "%s", wrong);
	if (!done)
		workload_skip_step(w, "huge pages on which anything can be done");
	workload_checked(w);
}

static void judge_ratio(const struct trial *t, struct judgement *j, const char *event,
			const char *fact)
{
	int64_t ratio = trial_reported_or(t, ACT, event, -1);
	int64_t huge = trial_reported_or(t, ACT, "huge", -1);

	if (ratio == huge || ratio == 1)
		judge_fact(j, fact, "%s", ratio == 1 ? "once" : "as often as small pages");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_ratio(t, j, "pgmigrate_success", "hugetlb.migration_counts");
}

CASE(machine_huge_events) {
	.claim =
		"An event of vmstat or memory.stat that counts pages which are locked, unlocked, migrated, activated, deactivated, paged out or marked by MADV_FREE counts a huge page as often as it has small pages",
	.because = "The kernel adds folio_nr_pages() where it counts pages. Where it adds 1 "
		   "instead, a huge page counts as little as a small one.",
	.said_by = SAID_BY("Documentation/mm/unevictable-lru.rst", "move_pages(2)"),
	.needs = NEEDS("root", "guest", "thp"),
	.flags = CASE_THP | CASE_ONE_CPU | CASE_KEEPS_MEMORY,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(ACT, "act on small and on huge pages", act_on_both, .checks = 1,
			       .flags = STEP_ANY_PAGES)),
	.facts = FACTS(FACT("hugetlb.migration_counts",
			    "pgmigrate_success counts the migration of a hugetlb page",
			    "as often as small pages|once")),
	.judge = judge,
};
