// SPDX-License-Identifier: MIT
/*
 * Double entry for numbers of the machine: a load allocates memory and frees it. Each line of the
 * ledger that counts this kind of memory moves by its pages, no other line moves, and all lines
 * return to their old values.
 */
#ifndef CASES_MACHINE_DOUBLE_ENTRY_H
#define CASES_MACHINE_DOUBLE_ENTRY_H

#include "base/clock.h"
#include "event_entry.h"
#include "sums.h"

static bool is_off_during(const struct workload *w, const struct load *load, struct ledger *before,
			  const struct ledger *during, int64_t pages, struct off *o)
{
	for (size_t i = 0; i < during->nr; i++) {
		const struct ledger_line *line = &during->of[i], *then;

		if ((line->part && !is_of_placed(load, line)) || line->kind == EVENT ||
		    line->kind == ALARM || line->kind == FREE_TO_MOVE ||
		    ((load->any & KIND(line->kind) || (line->row && line->row->in_loads) ||
		      (line->kind == ANON_FOLIOS && load->any & KIND(ANON_THP))) &&
		     !expected(load, line, 1)))
			continue;
		then = ledger_find(before, line->name, i);
		if (then && is_off(w, line, line->value - then->value, expected(load, line, pages),
				   o, "while the memory was allocated"))
			return true;
	}
	return false;
}

/* Returns true if a line is not at its old value after the load. An event count may be higher. */
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
		if (is_off(w, line, moved, 0, o, "after the memory was freed")) {
			/* Other processes raise an event count, but no process lowers it. */
			o->exact |= line->kind == EVENT;
			return true;
		}
	}
	return false;
}

/* Repeats the check for a second, because the kernel frees some memory later. */
static bool stays_off_after(struct workload *w, const struct load *load, struct ledgers *b,
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

static void ledgers_begin(struct workload *w, struct ledgers *b)
{
	if (!b->begun) {
		settle(w);
		b->read(w, b->before);
	}
	b->begun = false;
	b->settled = 0;
}

static void ledgers_go_on(struct ledgers *b)
{
	struct ledger *before = b->before;

	b->before = b->after;
	b->after = before;
	b->begun = true;
}

/*
 * The load that the next forked process performs, and what the process does before and after the
 * load.
 */
static const struct load *load_now;
static bool (*load_begins)(void), (*load_ends)(void);

static int64_t load_take(const struct workload *w, const struct load *load)
{
	char *p;

	if (load->act)
		return load->act(w);
	p = load->take(w);
	for (size_t i = 0; p && i < sizeof(load->then) / sizeof(*load->then); i++)
		if (load->then[i] && !load->then[i](w, p))
			p = NULL;
	return load_done(w, p);
}

static int64_t load_perform(const struct workload *w, const struct load *load)
{
	int64_t was, pages;

	if (!load->by_lists)
		return load_take(w, load);
	was = generations_now();
	if (was <= 0 || !workload_try_to_set(GENERATIONS, "0"))
		return -ENOENT;
	pages = load_take(w, load);
	workload_try_to_set_number(GENERATIONS, was);
	return pages;
}

static int64_t load_act(const struct workload *w)
{
	int64_t pages;

	if (load_begins && !load_begins())
		return -errno;
	pages = load_perform(w, load_now);
	if (load_ends && !load_ends() && pages >= 0)
		pages = -errno;
	return pages;
}

/* Returns true if a line is off; sets *done to false if the load was not possible. */
static bool is_off_once(struct workload *w, const struct load *load, struct ledgers *b,
			struct off *o, bool *done)
{
	int64_t pages = 0, began = now_us();
	bool off = false;
	pid_t pid = 0;

	ledgers_begin(w, b);
	load_now = load;
	if (load->take || load->act)
		pid = workload_companion(w, load_act, &pages);
	*done = pages >= 0;
	if (*done) {
		b->below |= load->below;
		settle(w);
		b->settled++;
		b->read(w, b->during);
		off = is_off_during(w, load, b->before, b->during, pages, o) ||
		      are_sums_off(w, b, b->during, o);
	}
	if (pid)
		workload_companion_ends(pid);
	drop_file(w);
	if (off || stays_off_after(w, load, b, o))
		return true;
	b->load_us = now_us() - began;
	off = *done && (counts_too_few(w, load, b->before, b->after, pages, o) ||
			are_events_off(w, load, b, pages, o));
	if (!load->take && !load->act)
		ledgers_idle(w, b);
	ledgers_go_on(b);
	return off;
}

/* Returns true if the event rises without the load, too, and by more than in the idle rounds. */
static bool is_raised_by_others(struct workload *w, struct ledgers *b, const char *name)
{
	bool raised;

	ledgers_begin(w, b);
	usleep((useconds_t)b->load_us);
	for (; b->settled < IDLE_SETTLES; b->settled++) {
		settle(w);
		b->read(w, b->after);
	}
	raised = event_moved(b->before, b->after, name) > event_moved_idle(b, name, 0);
	ledgers_go_on(b);
	if (raised && b->nr_noisy < NOISY_MOST)
		snprintf(b->noisy[b->nr_noisy++], sizeof(b->noisy[0]), "%s", name);
	return raised;
}

/*
 * Returns true if both repetitions are off by about the same number. An exact line may be off by
 * any number, because no other process moves it.
 */
static bool is_off_alike(const struct workload *w, const struct off *a, const struct off *b)
{
	return !strcmp(a->name, b->name) &&
	       (a->exact || llabs(a->by - b->by) <= (int64_t)load_pages(w) / BOUND);
}

/* The case is alone in its cgroup, so a charge that remains after each settling is a leak. */
static bool is_own_leak(const struct off *o)
{
	return !strncmp(o->name, "cgroup.memory.", 14) && o->by > 0;
}

/*
 * Performs a load. If a line is off, repeats the load to find out whether the load is the reason:
 * - A line that other processes move is off by a different number each time. The case fails only if
 * the line is off by about the same number each time.
 * - A line that no other process moves may be off by any number. The case also fails if the load
 * cannot be repeated.
 * - An event that other processes may raise must be too high each time, and must not rise without
 * the load.
 * If a line moves while the empty load runs, other processes use the memory, and the case is
 * skipped, unless the line is exact or shows a leak. Returns true if the load could be performed.
 */
static bool take_once(struct workload *w, const struct load *load, struct ledgers *b)
{
	struct off first = { .when = NULL }, o;
	bool done = false, was_done = false;
	int same = 0, need = TRIES;

	for (int i = 0; i < TRIES_MOST && same < need; i++) {
		if (!is_off_once(w, load, b, &o, &done)) {
			if (done || !same || !first.exact)
				return done;
			break;
		}
		was_done |= done;
		same = same && is_off_alike(w, &o, &first) ? same + 1 : 1;
		if (o.shared && is_raised_by_others(w, b, o.name))
			same = 0;
		need = o.shared ? TRIES_MOST : TRIES;
		first = o;
		/* RCU frees page tables later; the next try must not see that. */
		workload_await_frees();
	}
	if (!load->take && !load->act && !first.exact && !is_own_leak(&first))
		workload_skip(w,
			      "memory that no other process uses (%s changed by %" PRId64
			      " pages while the case did nothing)",
			      first.name, first.by);
	if (same < need && done)
		return true;
	/*
	 * Repeats the load to see whether it is still possible: the kernel may have lost what the
	 * load needs.
	 */
	if (done && first.exact)
		is_off_once(w, load, b, &o, &done);
	(was_done && !done && first.exact ? workload_fail_once : workload_fail)(
		w, "%s: %s %s %" PRId64 " pages %s, but %s %" PRId64, load->name, first.name,
		off_verb(&first), first.by, first.when, first.must, first.expected);
	__builtin_unreachable(); /* clang 14 does not know that neither returns */
}

/* ---- small errors: a line is off by the same few pages after each repetition ---- */

enum { DRIFTS_MOST = 64, DRIFT_TRIES = 6 };

/*
 * Kinds of lines whose small errors are not judged. CPUs or caches of the kernel hold back a part
 * of most of them.
 */
#define KEPT_BACK                                                                           \
	(KIND(FREE_TO_MOVE) | KIND(EVENT) | KIND(ALARM) | KIND(PAID) | KIND(PAID_SWAPPED) | \
	 KIND(KERNEL) | KIND(STACKS) | KIND(COMPRESSED) | KIND(UNCOMPRESSED) |              \
	 KIND(ANON_THP_PAID) | KIND(SWAPPED) | KIND(SWAP_LEFT))

struct drift {
	char name[72];
	int64_t by;
};

static bool may_drift(const struct load *load, const struct ledger_line *line)
{
	return (KEPT_BACK | load->loses) & KIND(line->kind) ||
	       (load->loses & KIND(POOL_NODES) && line->part);
}

/* Returns by how much the last load moved the line; 0 if its small errors are not judged. */
static int64_t drift_of(const struct ledgers *b, const struct load *load,
			const struct ledger_line *line, size_t hint)
{
	const struct ledger_line *then = ledger_find(b->after, line->name, hint);

	return then && !may_drift(load, line) ? line->value - then->value : 0;
}

static size_t drifts_find(const struct ledgers *b, const struct load *load, struct drift *drifts)
{
	size_t nr = 0;

	for (size_t i = 0; i < b->before->nr && nr < DRIFTS_MOST; i++) {
		const struct ledger_line *line = &b->before->of[i];

		drifts[nr].by = drift_of(b, load, line, i);
		if (!drifts[nr].by)
			continue;
		memcpy(drifts[nr++].name, line->name, sizeof(line->name));
	}
	return nr;
}

static size_t drifts_keep(const struct ledgers *b, const struct load *load, struct drift *drifts,
			  size_t nr)
{
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct ledger_line *line = ledger_find(b->before, drifts[i].name, 0);

		if (line && drift_of(b, load, line, 0) == drifts[i].by)
			drifts[kept++] = drifts[i];
	}
	return kept;
}

/*
 * Fails if the load moves a line by the same small number in each of DRIFT_TRIES repetitions. Other
 * processes, and memory that the kernel frees later, move a line by another number each time. After
 * is_off_once() `after` is the ledger before the load, and `before` the one after it.
 */
static void check_drifts(struct workload *w, const struct load *load, struct ledgers *b)
{
	struct drift drifts[DRIFTS_MOST];
	size_t nr = drifts_find(b, load, drifts);
	struct off o;
	bool done = true;

	for (int i = 1; i < DRIFT_TRIES && nr; i++) {
		workload_await_frees();
		if (is_off_once(w, load, b, &o, &done) || !done)
			return;
		nr = drifts_keep(b, load, drifts, nr);
	}
	if (nr)
		workload_fail(w,
			      "%s: %s changed by %" PRId64
			      " pages in each of %d tries, should be unchanged",
			      load->name, drifts[0].name, drifts[0].by, DRIFT_TRIES);
}

/* Returns true if a boot option keeps the kernel from charging a cgroup for the load. */
static bool is_uncharged(const struct load *load)
{
	static const struct {
		enum kind kind;
		const char *value;
	} table[] = { { KERNEL, "nokmem" }, { QUEUED, "nosocket" } };

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		if (times(load, table[i].kind) &&
		    workload_booted_with("cgroup.memory", table[i].value))
			return true;
	return false;
}

/*
 * Runs a load, unless no cgroup is charged for it. Repeats the empty load, to learn which events
 * the case itself raises.
 */
static bool take(struct workload *w, const struct load *load, struct ledgers *b)
{
	bool done = !is_uncharged(load) && take_once(w, load, b);

	if (done && (load->take || load->act))
		check_drifts(w, load, b);
	if (!load->take && !load->act && b->events)
		for (int i = 1; i < TRIES_MOST && b->idle_rounds < TRIES; i++)
			take_once(w, load, b);
	return done;
}

/* Returns the number of pages of a load: at least eight times what CPUs may charge in advance. */
static inline int64_t ledger_load_pages(void)
{
	int64_t least = BATCHES * CGROUP_BATCH * sysconf(_SC_NPROCESSORS_CONF);

	return least > PAGES_LEAST ? least : PAGES_LEAST;
}

/*
 * Skips the case if node 0 or 1 has less free memory than two loads. kswapd would then reclaim
 * during loads that are copied, compressed or bound to one node.
 */
static inline void ledger_needs_room(struct workload *w)
{
	int64_t need = 2 * ledger_load_pages() * (int64_t)w->page_size / 1024;
	char path[64], field[32];

	for (int node = 0; node < 2; node++) {
		int64_t kb;

		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/meminfo", node);
		snprintf(field, sizeof(field), "Node %d MemFree", node);
		kb = workload_number(path, field, -1);
		if (kb >= 0 && kb < need)
			workload_skip(w,
				      "%" PRId64 " MiB of free memory on node %d (it has %" PRId64
				      " MiB)",
				      need >> 10, node, kb >> 10);
	}
}

/*
 * Allocates the ledgers, sets the size of a load, and makes the file that loads read. To be called
 * before the workload enters the cgroup.
 */
static struct ledgers *ledgers_open(struct workload *w,
				    void (*read)(const struct workload *w, struct ledger *l))
{
	struct ledgers *b = workload_try_map(sizeof(*b), PROT_READ | PROT_WRITE,
					     MAP_PRIVATE | MAP_POPULATE, -1);

	if (!b)
		workload_die(w, "mmap: %m");
	b->before = &b->of[0];
	b->during = &b->of[1];
	b->after = &b->of[2];
	b->read = read;
	b->shmem_huge = shmem_may_be_huge(w);
	b->zswap = zswap_is_on();
	b->lists = generations_now() <= 0;
	w->number[LOAD_PAGES] = ledger_load_pages();
	w->fd[LOAD_FILE] = workload_try_file_uncached(w, load_pages(w));
	negatives_open(w, &b->negatives);
	return b;
}

static void ledgers_close(struct workload *w, struct ledgers *b, int64_t taken)
{
	negatives_close(w, &b->negatives, b->below);
	munmap(b, sizeof(*b));
	workload_report(w, "loads", taken);
	workload_checked(w);
}

#endif
