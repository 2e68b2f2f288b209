// SPDX-License-Identifier: MIT
/*
 * Double entry above the process: a load allocates memory and frees it; each line of the ledger
 * that counts this kind of memory moves by as much, no other line moves, and all lines return.
 */
#ifndef CASES_MACHINE_DOUBLE_ENTRY_H
#define CASES_MACHINE_DOUBLE_ENTRY_H

#include "loads.h"

/* A load has at least this many pages; a number may be off by a part of them. */
enum { PAGES_LEAST = 1024, BATCHES = 8, BOUND = 4, TRIES = 3, TRIES_MOST = 6 };

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

/* What reclaim may do meanwhile. */
#define TO_SWAP                                                                                \
	(KIND(SWAPPED) | KIND(SWAP_LEFT) | KIND(SWAP_CACHE) | KIND(CACHE) | KIND(ANON_LISTS) | \
	 KIND(BOTH_LISTS) | KIND(PAID) | KIND(UNCOMPRESSED))

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
	const char *counts; /* " vmstat.pgfault ": events that rise by the pages, or more */
	const char *raises; /* " memory.events.max ": those that rise by one or more */
};

/* If no line is off, the values after one load are the values before the next. */
struct books {
	struct ledger of[3], *before, *held, *after;
	bool begun;
	void (*read)(const struct workload *w, struct ledger *l);
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
		    ((load->any & KIND(line->kind) || (line->row && line->row->in_loads)) &&
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

		if (line->kind == FREE_TO_MOVE || (line->kind == EVENT && moved >= 0) ||
		    (line->kind == ALARM && load->raises && ledger_is_in(load->raises, line->name)))
			continue;
		if (is_off(w, line, moved, 0, o, "when it was freed"))
			return true;
	}
	return false;
}

/* Events of pages rise by at least as many; alarms rise by at least one. */
static bool counts_too_few(const struct workload *w, const struct load *load, struct ledger *before,
			   const struct ledger *after, int64_t pages, struct off *o)
{
	for (size_t i = 0; i < after->nr; i++) {
		const struct ledger_line *line = &after->of[i], *then;
		bool raised = load->raises && ledger_is_in(load->raises, line->name);
		int64_t least = raised ? 1 : pages - bound(w, line);

		if (!raised && !(load->counts && ledger_is_in(load->counts, line->name)))
			continue;
		then = ledger_find(before, line->name, i);
		if (then && line->value - then->value < least) {
			memcpy(o->name, line->name, sizeof(o->name));
			o->exact = false;
			o->when = "in all";
			o->by = line->value - then->value;
			o->expected = raised ? 1 : pages;
			return true;
		}
	}
	return false;
}

/* Memory that the kernel frees later gets some time. */
static bool stays_off_after(struct workload *w, const struct load *load, struct books *b,
			    struct off *o)
{
	struct patience p = { .seconds = 1, .pause_us = 20000 };

	do {
		settle(w);
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
}

static void books_go_on(struct books *b)
{
	struct ledger *before = b->before;

	b->before = b->after;
	b->after = before;
	b->begun = true;
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
	int64_t pages = 0;
	bool off = false;
	pid_t pid = 0;

	books_begin(w, b);
	load_now = load;
	if (load->take || load->act)
		pid = workload_companion(w, load_act, &pages);
	*done = pages >= 0;
	if (*done) {
		settle(w);
		b->read(w, b->held);
		off = is_off_held(w, load, b->before, b->held, pages, o);
	}
	if (pid)
		workload_companion_ends(pid);
	drop_file(w);
	if (off || stays_off_after(w, load, b, o))
		return true;
	off = *done && counts_too_few(w, load, b->before, b->after, pages, o);
	books_go_on(b);
	return off;
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
 * repeated. If lines move while the load does nothing, other processes use the memory, and no
 * load can be judged. Returns whether it could be repeated.
 */
static bool take(struct workload *w, const struct load *load, struct books *b)
{
	struct off first = { .when = NULL }, o;
	bool done = false;
	int same = 0;

	for (int i = 0; i < TRIES_MOST && same < TRIES; i++) {
		if (!is_off_once(w, load, b, &o, &done)) {
			if (done || !same || !first.exact)
				return done;
			break;
		}
		same = same && is_off_alike(w, &o, &first) ? same + 1 : 1;
		first = o;
	}
	if (!load->take && !load->act && !first.exact)
		workload_skip(w,
			      "other processes use the memory: %s moved by %" PRId64
			      " pages while the case did nothing",
			      first.name, first.by);
	if (same < TRIES && done)
		return true;
	workload_fail(w, "%s: %s moved by %" PRId64 " pages %s, must be %" PRId64, load->name,
		      first.name, first.by, first.when, first.expected);
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
	w->number[LOAD_PAGES] = least > PAGES_LEAST ? least : PAGES_LEAST;
	w->fd[LOAD_FILE] = workload_file_uncached(w, load_pages(w));
	return b;
}

static void books_close(struct books *b)
{
	munmap(b, sizeof(*b));
}

#endif
