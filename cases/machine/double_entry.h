// SPDX-License-Identifier: MIT
/*
 * Double entry above the process: a load allocates memory and frees it; each line of the ledger
 * that counts this kind of memory moves by as much, no other line moves, and all lines return.
 */
#ifndef CASES_MACHINE_DOUBLE_ENTRY_H
#define CASES_MACHINE_DOUBLE_ENTRY_H

#include "event_entry.h"
#include "loads.h"
#include <time.h>

/* A load has at least this many pages; a number may be off by a part of them. */
enum {
	PAGES_LEAST = 1024,
	BATCHES = 8,
	BOUND = 4,
	TRIES = 3,
	TRIES_MOST = 6,
	NOISY_MOST = 24,
	IDLE_SETTLES = 2
};

/* The lines that count one page of each kind. */
#define ANON_MEMORY                                        \
	{ ANON, 1 }, { ANON_LISTS, 1 }, { BOTH_LISTS, 1 }, \
	{                                                  \
		PAID, 1                                    \
	}
#define LOCKED_MEMORY                                        \
	{ ANON, 1 }, { UNEVICTABLE_LIST, 1 }, { LOCKED, 1 }, \
	{                                                    \
		PAID, 1                                      \
	}
#define SHMEM_MEMORY                                                      \
	{ SHMEM, 1 }, { CACHE, 1 }, { ANON_LISTS, 1 }, { BOTH_LISTS, 1 }, \
	{                                                                 \
		PAID, 1                                                   \
	}
#define FILE_MEMORY                                         \
	{ CACHE, 1 }, { FILE_LISTS, 1 }, { BOTH_LISTS, 1 }, \
	{                                                   \
		PAID, 1                                     \
	}

#define COPIED_MEMORY                                      \
	{ ANON, 2 }, { ANON_LISTS, 2 }, { BOTH_LISTS, 2 }, \
	{                                                  \
		PAID, 2                                    \
	}
#define LOCKED_SHMEM                                                                       \
	{ SHMEM, 1 }, { CACHE, 1 }, { UNEVICTABLE_LIST, 1 }, { LOCKED, 1 }, { MAPPED, 1 }, \
	{                                                                                  \
		PAID, 1                                                                    \
	}
#define LOCKED_FILE                                                          \
	{ CACHE, 1 }, { UNEVICTABLE_LIST, 1 }, { LOCKED, 1 }, { MAPPED, 1 }, \
	{                                                                    \
		PAID, 1                                                      \
	}
/* A private page for each of a file. */
#define COPIED_FILE                                                                         \
	{ CACHE, 1 }, { FILE_LISTS, 1 }, { ANON, 1 }, { ANON_LISTS, 1 }, { BOTH_LISTS, 2 }, \
	{                                                                                   \
		PAID, 2                                                                     \
	}

/* What reclaim may do meanwhile. */
#define TO_SWAP                                                                                \
	(KIND(SWAPPED) | KIND(SWAP_LEFT) | KIND(SWAP_CACHE) | KIND(CACHE) | KIND(ANON_LISTS) | \
	 KIND(BOTH_LISTS) | KIND(PAID) | KIND(UNCOMPRESSED))

/* Events of a page that goes to swap and comes back, beside those that a load names. */
#define SWAP_EVENTS                                                                  \
	" nr_vmscan_write? nr_written? pgmajfault? workingset_activate_anon? "       \
	"workingset_restore_anon? workingset_activate? workingset_restore? swpout? " \
	"zswpout? swpin? swpin_fallback? swpin_fallback_charge? pswpin? "            \
	"workingset_refault_anon? "
/* Beside those that a load names; memory.stat and vmstat must agree. */
#define RECLAIM_EVENTS                                                                  \
	SWAP_EVENTS                                                                     \
	" pgscan? pgscan_direct? pgscan_proactive? pgscan_anon? pgscan_file? pgsteal? " \
	"pgsteal_direct? pgsteal_proactive? pgsteal_anon? pgsteal_file? pgrefill? "     \
	"pgdeactivate? pgactivate? pswpin? pswpout? workingset_refault_anon? "          \
	"workingset_refault_file? workingset_activate_file? workingset_restore_file? "  \
	"pgfault? "
#define HUGE_EVENTS       " thp_fault_alloc*1 anon_fault_alloc*1 "
#define HUGE_SHMEM_EVENTS " thp_file_alloc*1 shmem_alloc*1 "
#define SPLIT_EVENTS      " thp_split_pmd? thp_swpout? swpout? thp_split_page? split? split_deferred? "

/* Memory that is taken, and what is then done to it; or an act that does and counts it itself. */
struct load {
	const char *name;
	char *(*take)(const struct workload *w); /* NULL with errno if it cannot be had */
	bool (*then[3])(const struct workload *w, char *p);
	int64_t (*act)(const struct workload *w); /* the pages, or -errno */
	struct {
		enum kind kind;
		int times; /* the pages */
	} moves[8];
	uint64_t any;       /* kinds whose numbers the kernel chooses during the load */
	bool moved;         /* to the other cgroup */
	const char *counts; /* " pgfault*1 ": its events (event_times()) */
	const char *raises; /* " memory.events.max ": those that rise by one or more */
	const char *may_raise;
	uint64_t loses; /* kinds whose numbers a known bug leaves off: the case has a fact for it */
};

/* If no line is off, the values after one load are the values before the next. */
struct books {
	struct ledger of[3], *before, *held, *after;
	bool begun;
	void (*read)(const struct workload *w, struct ledger *l);
	bool events;        /* they are judged */
	bool shmem_huge;    /* any memfd may have huge pages: the kernel chooses */
	struct ledger idle; /* the least that each event has risen by while no load ran */
	int idle_rounds;
	int settled;     /* between before and after; IDLE_SETTLES without a load */
	int64_t load_us; /* the time of the last load */
	/* Events of the machine that others have raised while no load ran. */
	char noisy[NOISY_MOST][72];
	size_t nr_noisy;
};

static void settle(struct workload *w)
{
	int node = 0, status;

	syscall(SYS_move_pages, 0, 1UL, &w, &node, &status, MPOL_MF_MOVE);
	workload_cgroup_settle(w);
	workload_try_to_set("/proc/sys/vm/stat_refresh", "1");
}

static void drop_file(struct workload *w)
{
	fsync(w->fd[LOAD_FILE]);
	posix_fadvise(w->fd[LOAD_FILE], 0, 0, POSIX_FADV_DONTNEED);
}

static int64_t times(const struct load *load, enum kind kind)
{
	for (size_t i = 0; i < sizeof(load->moves) / sizeof(*load->moves); i++)
		if (load->moves[i].times && load->moves[i].kind == kind)
			return load->moves[i].times;
	return 0;
}

/* Everything charged is in v1's memsw, too. */
static int64_t expected(const struct load *load, const struct ledger_line *line, int64_t pages)
{
	int64_t n = times(load, line->kind);

	if (line->other != load->moved)
		return 0;
	if (!n && line->kind == PAID_SWAPPED)
		n = times(load, PAID);
	if (!n && line->kind == ANON_FOLIOS)
		n = times(load, ANON_THP);
	return n * pages;
}

static int64_t bound(const struct workload *w, const struct ledger_line *line)
{
	return line->row && line->row->exact ? 0 : (int64_t)load_pages(w) / BOUND;
}

/* Describes one line that is off. */
struct off {
	char name[72];
	bool exact;
	bool shared; /* an event of the machine that rose by more: others may have raised it */
	const char *when;
	int64_t by, expected;
};

static bool is_off(const struct workload *w, const struct ledger_line *line, int64_t moved,
		   int64_t must, struct off *o, const char *when)
{
	if (llabs(moved - must) <= bound(w, line))
		return false;
	memcpy(o->name, line->name, sizeof(o->name));
	o->exact = line->row && line->row->exact;
	o->shared = false;
	o->when = when;
	o->by = moved;
	o->expected = must;
	return true;
}

static bool is_off_held(const struct workload *w, const struct load *load, struct ledger *before,
			const struct ledger *held, int64_t pages, struct off *o)
{
	for (size_t i = 0; i < held->nr; i++) {
		const struct ledger_line *line = &held->of[i], *then;

		if (line->part || line->kind == EVENT || line->kind == ALARM ||
		    line->kind == FREE_TO_MOVE ||
		    ((load->any & KIND(line->kind) || (line->row && line->row->in_loads) ||
		      (line->kind == ANON_FOLIOS && load->any & KIND(ANON_THP))) &&
		     !expected(load, line, 1)))
			continue;
		then = ledger_find(before, line->name, i);
		if (then && is_off(w, line, line->value - then->value, expected(load, line, pages),
				   o, "while it is used"))
			return true;
	}
	return false;
}

/* True if a line is not back at its value from before the load; an event count may only have grown.
 */
static bool is_off_after(const struct workload *w, const struct load *load, struct ledger *before,
			 const struct ledger *after, struct off *o)
{
	for (size_t i = 0; i < after->nr; i++) {
		const struct ledger_line *line = &after->of[i],
					 *then = ledger_find(before, line->name, i);
		int64_t moved = then ? line->value - then->value : 0;

		if (line->kind == FREE_TO_MOVE || load->loses & KIND(line->kind) ||
		    (line->kind == EVENT && moved >= 0) ||
		    (line->kind == ALARM && load->raises &&
		     ledger_is_in(load->raises, line->name)) ||
		    (line->kind == ALARM && load->may_raise &&
		     ledger_is_in(load->may_raise, line->name)))
			continue;
		if (is_off(w, line, moved, 0, o, "when it was freed"))
			return true;
	}
	return false;
}

static bool off_in_all(struct off *o, const char *name, int64_t by, int64_t must)
{
	snprintf(o->name, sizeof(o->name), "%s", name);
	o->exact = o->shared = false;
	o->when = "in all";
	o->by = by;
	o->expected = must;
	return true;
}

/* Events of pages rise by at least as many; alarms rise by at least one. */
static bool counts_too_few(const struct workload *w, const struct load *load, struct ledger *before,
			   const struct ledger *after, int64_t pages, struct off *o)
{
	for (size_t i = 0; i < after->nr; i++) {
		const struct ledger_line *line = &after->of[i], *then;
		bool raised = load->raises && ledger_is_in(load->raises, line->name);
		char how = 0;
		int64_t least = raised ? 1 : pages - bound(w, line);

		if (!raised && line->kind == EVENT && !line->part && !line->other)
			event_times(load->counts, event_key(line), &how);
		if (!raised && how != '+')
			continue;
		then = ledger_find(before, line->name, i);
		if (then && line->value - then->value < least)
			return off_in_all(o, line->name, line->value - then->value,
					  raised ? 1 : pages);
	}
	return false;
}

static int64_t event_moved_idle(struct books *b, const char *name, size_t hint)
{
	const struct ledger_line *line = ledger_find(&b->idle, name, hint);

	return line ? line->value : 0;
}

static bool is_noisy(const struct books *b, const char *name)
{
	for (size_t i = 0; i < b->nr_noisy; i++)
		if (!strcmp(b->noisy[i], name))
			return true;
	return b->nr_noisy == NOISY_MOST;
}

/* An event that is named "?" or "+" for the load, or that is not an event of its acts alone. */
static bool is_event_free(const struct load *load, const struct books *b,
			  const struct ledger_line *line, char how)
{
	const char *key = event_key(line);

	if (how == '?' || how == '+' || (!how && !event_is_of_acts(line, key)) ||
	    event_is_part_of_swap(line) || (load->raises && ledger_is_in(load->raises, line->name)))
		return true;
	if (!how && b->shmem_huge && event_is_of_huge_shmem(line, key))
		return true;
	/* Up to 5.18 a CPU keeps some back, as many huge pages as others. */
	if (line->huge && !ledger_find(b->after, "memory.stat.pgscan_direct", 0) &&
	    event_is_of_cgroup(line))
		return true;
	/*
	 * Faults are judged where a load names them: a process has others, too. The case has some
	 * each time that it settles.
	 */
	return !strcmp(key, "pgfault") && (how != '*' || b->settled != IDLE_SETTLES);
}

/*
 * The cgroup has no other process: its events rise by the load's, and by those of the case itself.
 * The machine's rise by as many or more, for other processes raise them, too.
 */
static bool is_event_off(const struct workload *w, const struct load *load, struct books *b,
			 const struct ledger_line *line, int64_t moved, int64_t pages,
			 struct off *o)
{
	char how;
	int64_t least = event_times(load->counts, event_key(line), &how) * pages, most;

	if (is_event_free(load, b, line, how))
		return false;
	most = least + event_moved_idle(b, line->name, (size_t)(line - b->after->of));
	if (event_is_of_cgroup(line))
		least = most;
	if (moved < least - bound(w, line))
		return off_in_all(o, line->name, moved, least);
	if (moved <= most + bound(w, line) || is_noisy(b, line->name))
		return false;
	off_in_all(o, line->name, moved, most);
	o->shared = !event_is_of_cgroup(line);
	return true;
}

/* What the cgroup's files count the machine's count, too. */
static bool is_event_of_two_files_off(const struct workload *w, const struct books *b,
				      const struct ledger_line *line, int64_t moved, struct off *o)
{
	const char *key = event_key(line);
	bool of_node = !strncmp(line->name, "numa_stat.", 10);
	int64_t there;
	char name[96];

	if (!of_node && (strncmp(line->name, "memory.stat.", 12) || event_is_of_reclaim(key) ||
			 (line->huge && !ledger_find(b->after, "memory.stat.pgscan_direct", 0))))
		return false;
	snprintf(name, sizeof(name), "%s.%s", of_node ? "memory.stat" : "vmstat", key);
	if (!ledger_find(b->after, name, 0) || !event_is_of_acts(line, key) ||
	    event_is_part_of_swap(line))
		return false;
	there = event_moved(b->before, b->after, name);
	/* Other processes raise the machine's. */
	if (!of_node && there > moved)
		return false;
	return llabs(moved - there) > bound(w, line) && off_in_all(o, line->name, moved, there);
}

/*
 * memory.stat's sums of what reclaim scans and takes are their own parts, and vmstat's by kind are
 * as many or more. A page that swap gives back was evicted: it has a shadow there.
 */
static bool is_sum_off(const struct workload *w, const struct books *b, struct off *o)
{
	static const struct {
		const char *sum, *parts[4];
		bool more; /* the parts are of all processes */
	} sums[] = {
		{ "vmstat.workingset_refault_anon", { "vmstat.pswpin" }, false },
		{ "memory.stat.pgscan", { "vmstat.pgscan_anon", "vmstat.pgscan_file" }, true },
		{ "memory.stat.pgsteal", { "vmstat.pgsteal_anon", "vmstat.pgsteal_file" }, true },
		{ "memory.stat.pgscan",
		  { "memory.stat.pgscan_kswapd", "memory.stat.pgscan_direct",
		    "memory.stat.pgscan_khugepaged", "memory.stat.pgscan_proactive" },
		  false },
		{ "memory.stat.pgsteal",
		  { "memory.stat.pgsteal_kswapd", "memory.stat.pgsteal_direct",
		    "memory.stat.pgsteal_khugepaged", "memory.stat.pgsteal_proactive" },
		  false },
	};

	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++) {
		const struct ledger_line *line = ledger_find(b->after, sums[i].sum, 0);
		int64_t moved, parts = 0;

		/* Up to 6.0 the parts have no lines. */
		if (!line || (sums[i].parts[1] && !ledger_find(b->after, sums[i].parts[1], 0)))
			continue;
		moved = event_moved(b->before, b->after, sums[i].sum);
		for (size_t k = 0; k < 4 && sums[i].parts[k]; k++)
			parts += event_moved(b->before, b->after, sums[i].parts[k]);
		if ((!sums[i].more || moved > parts) && llabs(moved - parts) > bound(w, line))
			return off_in_all(o, sums[i].sum, moved, parts);
	}
	return false;
}

static bool are_events_off(const struct workload *w, const struct load *load, struct books *b,
			   int64_t pages, struct off *o)
{
	int64_t most = (int64_t)load_pages(w) / BOUND;

	if (b->idle_rounds < TRIES || events_are_disturbed(b->before, b->after, most))
		return false;
	for (size_t i = 0; i < b->after->nr; i++) {
		const struct ledger_line *line = &b->after->of[i], *then;

		if (line->kind != EVENT || line->part)
			continue;
		then = ledger_find(b->before, line->name, i);
		if (then && (is_event_off(w, load, b, line, line->value - then->value, pages, o) ||
			     is_event_of_two_files_off(w, b, line, line->value - then->value, o)))
			return true;
	}
	return is_sum_off(w, b, o);
}

/* Memory that the kernel frees later gets some time. */
static bool stays_off_after(struct workload *w, const struct load *load, struct books *b,
			    struct off *o)
{
	struct patience p = { .seconds = 1, .pause_us = 20000 };

	do {
		settle(w);
		b->settled++;
		b->read(w, b->after);
	} while (is_off_after(w, load, b->before, b->after, o) && workload_pause(&p));
	return is_off_after(w, load, b->before, b->after, o);
}

static void books_begin(struct workload *w, struct books *b)
{
	if (!b->begun) {
		settle(w);
		b->read(w, b->before);
	}
	b->begun = false;
	b->settled = 0;
}

/*
 * How much the case itself raises each event: the least of some rounds without a load, which reads
 * and settles as often as with one.
 */
static void books_idle(const struct workload *w, struct books *b)
{
	if (!b->events || b->settled != IDLE_SETTLES ||
	    events_are_disturbed(b->before, b->after, (int64_t)load_pages(w) / BOUND))
		return;
	if (!b->idle_rounds++)
		b->idle.nr = b->after->nr;
	for (size_t i = 0; i < b->idle.nr; i++) {
		const struct ledger_line *now = &b->after->of[i],
					 *then = ledger_find(b->before, now->name, i);
		struct ledger_line *least = &b->idle.of[i];
		int64_t moved = then ? now->value - then->value : 0;

		if (b->idle_rounds == 1)
			*least = *now;
		if (b->idle_rounds == 1 ||
		    (!strcmp(least->name, now->name) && moved < least->value))
			least->value = moved;
	}
}

static void books_go_on(struct books *b)
{
	struct ledger *before = b->before;

	b->before = b->after;
	b->after = before;
	b->begun = true;
}

static int64_t load_clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The load of the process that is forked next. */
static const struct load *load_now;

static int64_t load_act(const struct workload *w)
{
	const struct load *load = load_now;
	char *p;

	if (load->act)
		return load->act(w);
	p = load->take(w);
	for (size_t i = 0; p && i < sizeof(load->then) / sizeof(*load->then); i++)
		if (load->then[i] && !load->then[i](w, p))
			p = NULL;
	return load_done(w, p);
}

/* Returns whether a line is off; *done: it could be judged. */
static bool is_off_once(struct workload *w, const struct load *load, struct books *b, struct off *o,
			bool *done)
{
	int64_t pages = 0, began = load_clock_us();
	bool off = false;
	pid_t pid = 0;

	books_begin(w, b);
	load_now = load;
	if (load->take || load->act)
		pid = workload_companion(w, load_act, &pages);
	*done = pages >= 0;
	if (*done) {
		settle(w);
		b->settled++;
		b->read(w, b->held);
		off = is_off_held(w, load, b->before, b->held, pages, o);
	}
	if (pid)
		workload_companion_ends(pid);
	drop_file(w);
	if (off || stays_off_after(w, load, b, o))
		return true;
	b->load_us = load_clock_us() - began;
	off = *done && (counts_too_few(w, load, b->before, b->after, pages, o) ||
			are_events_off(w, load, b, pages, o));
	if (!load->take && !load->act)
		books_idle(w, b);
	books_go_on(b);
	return off;
}

/* Whether the event rises as well without a load, in at least the time of the last one. */
static bool is_raised_by_others(struct workload *w, struct books *b, const char *name)
{
	bool raised;

	books_begin(w, b);
	usleep((useconds_t)b->load_us);
	for (; b->settled < IDLE_SETTLES; b->settled++) {
		settle(w);
		b->read(w, b->after);
	}
	raised = event_moved(b->before, b->after, name) > event_moved_idle(b, name, 0);
	books_go_on(b);
	if (raised && b->nr_noisy < NOISY_MOST)
		snprintf(b->noisy[b->nr_noisy++], sizeof(b->noisy[0]), "%s", name);
	return raised;
}

/* An exact line may be off by any number each time: no other process moves it. */
static bool is_off_alike(const struct workload *w, const struct off *a, const struct off *b)
{
	return !strcmp(a->name, b->name) &&
	       (a->exact || llabs(a->by - b->by) <= (int64_t)load_pages(w) / BOUND);
}

/*
 * A load whose line is off is repeated: a line that moves by itself is not off by the same
 * number each time. A line that nothing else moves may be so far off that the load cannot be
 * repeated. An event that others may raise is off if it rises by more each time, and never
 * without the load. If lines move while the load does nothing, other processes use the memory,
 * and no load can be judged. Returns whether it could be repeated.
 */
static bool take_once(struct workload *w, const struct load *load, struct books *b)
{
	struct off first = { .when = NULL }, o;
	bool done = false;
	int same = 0, need = TRIES;

	for (int i = 0; i < TRIES_MOST && same < need; i++) {
		if (!is_off_once(w, load, b, &o, &done)) {
			if (done || !same || !first.exact)
				return done;
			break;
		}
		same = same && is_off_alike(w, &o, &first) ? same + 1 : 1;
		if (o.shared && is_raised_by_others(w, b, o.name))
			same = 0;
		need = o.shared ? TRIES_MOST : TRIES;
		first = o;
	}
	if (!load->take && !load->act && !first.exact)
		workload_skip(w,
			      "other processes use the memory: %s moved by %" PRId64
			      " pages while the case did nothing",
			      first.name, first.by);
	if (same < need && done)
		return true;
	workload_fail(w, "%s: %s moved by %" PRId64 " pages %s, must be %" PRId64, load->name,
		      first.name, first.by, first.when, first.expected);
}

/* Nothing is done until it is known which events the case raises itself. */
static bool take(struct workload *w, const struct load *load, struct books *b)
{
	bool done = take_once(w, load, b);

	if (!load->take && !load->act && b->events)
		for (int i = 1; i < TRIES_MOST && b->idle_rounds < TRIES; i++)
			take_once(w, load, b);
	return done;
}

/*
 * The smallest number of pages of a load, and the file that loads read: set before the
 * cgroup is entered.
 */
static struct books *books_open(struct workload *w,
				void (*read)(const struct workload *w, struct ledger *l))
{
	int64_t least = BATCHES * CGROUP_BATCH * sysconf(_SC_NPROCESSORS_CONF);
	struct books *b = mmap(NULL, sizeof(*b), PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (b == MAP_FAILED)
		workload_die(w, "mmap: %m");
	b->before = &b->of[0];
	b->held = &b->of[1];
	b->after = &b->of[2];
	b->read = read;
	b->shmem_huge = shmem_may_be_huge(w);
	w->number[LOAD_PAGES] = least > PAGES_LEAST ? least : PAGES_LEAST;
	w->fd[LOAD_FILE] = workload_file_uncached(w, load_pages(w));
	return b;
}

static void books_close(struct books *b)
{
	munmap(b, sizeof(*b));
}

#endif
