// SPDX-License-Identifier: MIT
/*
 * memory.zswap.max and memory.zswap.writeback of a process's cgroup, of the parent and of the
 * grandparent: each limit holds, whichever the others are.
 */
#include "noise.h"
#include "tree.h"

/* Half of each page is noise, so zswap needs more than MOST and less than MORE pages. */
enum { PAGES = 512, MOST = 64, MORE = PAGES, UNSET = -1 };

enum ends_up { IN_ZSWAP, LIMITED, IN_SWAP, IN_MEMORY };

/* `max` is of the level that is tried, `own` of the process's cgroup if that is another one. */
static const struct row {
	const char *name;
	int max, own; /* memory.zswap.max in pages, or UNSET */
	bool keep;    /* memory.zswap.writeback is 0 at the level, and memory.zswap.max at `own` */
	enum ends_up where;
} rows[] = {
	{ "no limit", UNSET, UNSET, false, IN_ZSWAP },
	{ "a limit", MOST, UNSET, false, LIMITED },
	{ "a limit, and a larger one of its own", MOST, MORE, false, LIMITED },
	{ "a larger limit, and a smaller one of its own", MORE, MOST, false, LIMITED },
	{ "a limit of 0", 0, UNSET, false, IN_SWAP },
	{ "a limit of 0, and a larger one of its own", 0, MORE, false, IN_SWAP },
	{ "a limit of 0 of its own, and no writeback", UNSET, 0, true, IN_MEMORY },
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

static struct {
	const struct row *row;
	size_t level;
	bool writeback; /* the kernel has memory.zswap.writeback */
} at;

/* ---- the process ---- */

static int64_t page_out(const struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	char *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	if (!p || !tree_join(INNER))
		return errno;
	madvise(p, bytes, MADV_NOHUGEPAGE);
	write_noise(w, p, PAGES);
	return madvise(p, bytes, MADV_PAGEOUT) ? errno : 0;
}

/* ---- the settings ---- */

static void set_max(size_t node, int pages)
{
	if (pages != UNSET)
		tree_set_bytes(node, "memory.zswap.max", pages * (int64_t)tree.w->page_size);
	else if (!tree_write(node, "memory.zswap.max", "max"))
		tree_wrong("memory.zswap.max: %s", strerror(errno));
}

static void set_all(void)
{
	const struct row *r = at.row;

	for (size_t l = 0; l < LEVELS; l++) {
		set_max(l, UNSET);
		if (at.writeback)
			tree_set_bytes(l, "memory.zswap.writeback", !r->keep || l != at.level);
	}
	set_max(INNER, r->own);
	if (!r->keep)
		set_max(at.level,
			at.level == INNER && r->own != UNSET && r->own < r->max ? r->own : r->max);
}

/* ---- what must have happened ---- */

static bool is_right(const tree_usages now)
{
	int64_t page = (int64_t)tree.w->page_size, zswap = now[INNER][USE_ZSWAP];
	bool gone = now[INNER][USE_MEMORY] < PAGES * page * 7 / 8;

	for (size_t n = 0; n < NODES; n++)
		if (now[n][USE_ZSWAP] != (n <= INNER ? zswap : 0))
			return false;
	switch (at.row->where) {
	case IN_ZSWAP:
		return zswap > (MOST + 1) * page && gone;
	case LIMITED:
		/* The last page that is let in may be stored as a whole. */
		return zswap > 0 && zswap <= (MOST + 1) * page && gone;
	case IN_SWAP:
		return !zswap && gone;
	default:
		return !zswap && now[INNER][USE_MEMORY] >= PAGES * page;
	}
}

/*
 * Reads the usages until they are right; returns false if they do not become so. A page that was
 * written to swap is freed when it is reclaimed the next time.
 */
static bool await(bool (*right)(const tree_usages now), tree_usages now)
{
	struct patience p = { .seconds = WAIT_S };
	bool is;

	do {
		tree_drain(INNER);
		tree_read_usages(now);
	} while (!(is = right(now)) && workload_pause(&p));
	return is;
}

static void judge_usages(void)
{
	tree_usages now;

	if (!await(is_right, now))
		tree_wrong("memory.zswap.current of a/b/c, a/b and a is %" PRId64 ", %" PRId64
			   ", %" PRId64 ", memory.current of a/b/c %" PRId64 " bytes",
			   now[INNER][USE_ZSWAP], now[MIDDLE][USE_ZSWAP], now[OUTER][USE_ZSWAP],
			   now[INNER][USE_MEMORY]);
}

static bool is_empty(const tree_usages now)
{
	int64_t kept = tree_batches() * (int64_t)tree.w->page_size;

	return now[INNER][USE_ZSWAP] <= kept && now[INNER][USE_ZSWAP] == now[OUTER][USE_ZSWAP];
}

static void try_row(struct workload *w)
{
	tree_usages now;
	int64_t error;
	pid_t pid;

	set_all();
	pid = workload_companion(w, page_out, &error);
	if (error)
		tree_wrong("%s", strerror((int)error));
	judge_usages();
	workload_companion_ends(pid);
	if (!await(is_empty, now))
		tree_wrong("%" PRId64 " bytes are left in zswap", now[INNER][USE_ZSWAP]);
}

static void try_rows(struct workload *w)
{
	for (at.row = rows; at.row < rows + ROWS; at.row++)
		for (at.level = OUTER; at.level < LEVELS; at.level++) {
			if (at.row->keep && !at.writeback)
				continue;
			try_row(w);
			if (*tree.wrong)
				return;
		}
}

static void each_level(struct workload *w)
{
	struct workload_guard g = zswap_begin(w);
	bool has;

	tree_make(w);
	has = tree_number(INNER, "memory.zswap.current", NULL) >= 0;
	at.writeback = tree_number(INNER, "memory.zswap.writeback", NULL) >= 0;
	if (has)
		try_rows(w);
	tree_remove();
	workload_guard_end(w, &g);
	if (!has)
		workload_skip(w, "memory.zswap.current (Linux 5.19)");
	if (*tree.wrong)
		workload_fail(w, "%s at %s: %s", at.row->name, nodes[at.level], tree.wrong);
	workload_checked(w);
}

CASE(cgroup_zswap_by_level) {
	.claim =
		"memory.zswap.max and memory.zswap.writeback=0 hold at every level: what a process stores in zswap never exceeds the smallest limit of its cgroup and the ancestors by more than a page, with a limit of 0 it goes to swap, and without writeback it stays in memory",
	.because =
		"obj_cgroup_may_zswap() compares the usage with the limit of each cgroup up to the "
		"root, and mem_cgroup_zswap_writeback_enabled() asks each of them.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.zswap.max",
			   "Documentation/admin-guide/cgroup-v2.rst, memory.zswap.writeback"),
	.needs = NEEDS("root", "swap", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP("each limit at each level", each_level, .checks = 1)),
};
