// SPDX-License-Identifier: MIT
/*
 * Checks the numbers of each node's hugetlb pool after each act of a table, without surplus pages
 * and with one on either node or on both.
 */
#include "node.h"
#include <inttypes.h>
#include <rssck/case.h>
#include <string.h>
#include <sys/syscall.h>

#define OVERCOMMIT "/proc/sys/vm/nr_overcommit_hugepages"

/* Each node has SET pages of its own. With a surplus page, a mapping there uses all SET + 1. */
enum { NODES = 2, SET = 2, TEXT = 160 };
STEP_SYMBOLS(ON_TWO_NODES);

enum number { TOTAL, FREE, SURPLUS, NUMBERS };

static const struct {
	const char *of_node, *of_all;
} names[NUMBERS] = {
	[TOTAL] = { "nr_hugepages", "HugePages_Total" },
	[FREE] = { "free_hugepages", "HugePages_Free" },
	[SURPLUS] = { "surplus_hugepages", "HugePages_Surp" },
};

struct pool {
	size_t bytes;         /* of one page */
	int64_t own[NODES];   /* nr_hugepages without surplus pages, as it must be */
	char *p[NODES];       /* the mapping that is bound to this node, or NULL */
	size_t mapped[NODES]; /* its length in hugetlb pages */
	int64_t used[NODES];  /* pages of both mappings that are on this node */
	int64_t seen[NODES][NUMBERS];
	/* Does a node get the other node's surplus in addition to what is set? -1: not seen. */
	int adds_surplus;
};

static void read_nodes(struct pool *pool)
{
	for (int node = 0; node < NODES; node++)
		for (enum number i = 0; i < NUMBERS; i++)
			pool->seen[node][i] = node_number(node, pool->bytes, names[i].of_node, -1);
}

static int64_t own(const struct pool *pool, int node)
{
	return pool->seen[node][TOTAL] - pool->seen[node][SURPLUS];
}

/* ---- acts: each returns false if it cannot be done here ---- */

static bool set(struct pool *pool, int node, int64_t pages)
{
	int64_t surplus = pool->seen[!node][SURPLUS];
	char path[NODE_FILE];

	node_file(node, pool->bytes, names[TOTAL].of_node, path);
	if (!workload_try_to_set_number(path, pages))
		return false;
	read_nodes(pool);
	if (pool->adds_surplus < 0 && surplus)
		pool->adds_surplus = own(pool, node) == pages + surplus;
	pool->own[node] = pages + (pool->adds_surplus > 0 ? surplus : 0);
	return true;
}

static bool grow(struct pool *pool, int node)
{
	return set(pool, node, SET + 2);
}

static bool shrink(struct pool *pool, int node)
{
	return set(pool, node, SET - 1);
}

static bool set_again(struct pool *pool, int node)
{
	return set(pool, node, SET);
}

static bool bind(const struct pool *pool, int node)
{
	unsigned long mask = 1UL << node;

	return syscall(SYS_mbind, pool->p[node], pool->mapped[node] * pool->bytes, MPOL_BIND, &mask,
		       sizeof(mask) * 8, 0) == 0;
}

/* mlock(2) makes the pages, and fails where a write would end the process with SIGBUS. */
static bool map(struct pool *pool, int node, size_t pages)
{
	size_t bytes = pages * pool->bytes;

	pool->p[node] = workload_try_map(bytes, PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_HUGETLB | MAP_NORESERVE, -1);
	if (!pool->p[node])
		return false;
	pool->mapped[node] = pages;
	if (!bind(pool, node) || mlock(pool->p[node], bytes) < 0)
		return false;
	pool->used[node] += (int64_t)pages;
	return munlock(pool->p[node], bytes) == 0;
}

static bool unmap(struct pool *pool, int node)
{
	if (!pool->p[node])
		return true;
	munmap(pool->p[node], pool->mapped[node] * pool->bytes);
	pool->p[node] = NULL;
	pool->used[node] -= (int64_t)pool->mapped[node];
	return true;
}

/*
 * Migrates one page of the node's mapping. The new page is a free one of the other node, if there
 * is one. Otherwise it is allocated, the old one leaves the pool, and the other node gets a surplus
 * page if the page's node has one, or else the page becomes its own.
 */
static bool migrate(struct pool *pool, int from, int to, char *p)
{
	bool is_own = !pool->seen[to][FREE] && !pool->seen[from][SURPLUS];

	if (workload_migrate(p, to) != to)
		return false;
	pool->used[from]--;
	pool->used[to]++;
	pool->own[from] -= is_own;
	pool->own[to] += is_own;
	return true;
}

static bool migrate_away(struct pool *pool, int node)
{
	return migrate(pool, node, !node, pool->p[node]);
}

static bool migrate_back(struct pool *pool, int node)
{
	return migrate(pool, !node, node, pool->p[node]);
}

static const struct act {
	const char *text;
	bool (*act)(struct pool *pool, int node);
} acts[] = {
	{ "two pages more", grow },         { "a page less", shrink },
	{ "as many as before", set_again }, { "a page migrates away", migrate_away },
	{ "and back", migrate_back },
};

/* ---- what must hold after each act ---- */

struct check {
	struct workload *w;
	struct pool *pool;
	const char *text;    /* the act */
	int node;            /* on which it acts */
	const size_t *pages; /* of the mapping on each node */
};

static void must_be(const struct check *c, const char *what, int64_t seen, int64_t expected)
{
	if (seen != expected)
		workload_fail(c->w,
			      "%zu and %zu pages used, node %d, %s: %s is %" PRId64
			      ", must be %" PRId64,
			      c->pages[0], c->pages[1], c->node, c->text, what, seen, expected);
}

static void check(const struct check *c)
{
	struct pool *pool = c->pool;
	char what[TEXT];

	read_nodes(pool);
	for (enum number i = 0; i < NUMBERS; i++)
		must_be(c, names[i].of_all, workload_number("/proc/meminfo", names[i].of_all, -1),
			pool->seen[0][i] + pool->seen[1][i]);
	for (int node = 0; node < NODES; node++) {
		const int64_t *seen = pool->seen[node];

		snprintf(what, TEXT, "node%d's nr_hugepages - surplus_hugepages", node);
		must_be(c, what, own(pool, node), pool->own[node]);
		snprintf(what, TEXT, "node%d's nr_hugepages - free_hugepages", node);
		must_be(c, what, seen[TOTAL] - seen[FREE], pool->used[node]);
	}
}

static bool act(struct check *c, const char *text, bool (*act)(struct pool *, int), int node)
{
	c->text = text;
	c->node = node;
	if (!act(c->pool, node))
		return false;
	check(c);
	return true;
}

/* Unmapped surplus pages leave the pool. */
static bool end(struct check *c)
{
	if (!act(c, "unmap", unmap, 0) || !act(c, "unmap", unmap, 1))
		return false;
	must_be(c, "HugePages_Surp", c->pool->seen[0][SURPLUS] + c->pool->seen[1][SURPLUS], 0);
	return true;
}

static bool play(struct workload *w, struct pool *pool, const size_t pages[NODES])
{
	struct check c = { .w = w, .pool = pool, .pages = pages };

	for (int node = 0; node < NODES; node++)
		if (!act(&c, "set", set_again, node))
			return false;
	for (int node = 0; node < NODES; node++) {
		c.text = "map";
		if (!map(pool, node, pages[node]))
			return false;
		check(&c);
	}
	for (int node = 0; node < NODES; node++)
		for (size_t i = 0; i < sizeof(acts) / sizeof(*acts); i++)
			if (!act(&c, acts[i].text, acts[i].act, node))
				return false;
	return end(&c);
}

/* Each node in turn has a page to spare, none, and one that is a surplus page. */
static bool play_all(struct workload *w, struct pool *pool)
{
	enum { FEWEST = SET - 1, MOST = SET + 1 };

	for (size_t a = FEWEST; a <= MOST; a++)
		for (size_t b = FEWEST; b <= MOST; b++)
			if (!play(w, pool, (size_t[]) { a, b }))
				return false;
	return true;
}

static int64_t overcommit_before;
static struct pool before;

/* Runs when no hugetlb page is mapped. */
static void restore(void)
{
	for (int node = 0; node < NODES; node++)
		set(&before, node, before.own[node]);
	workload_try_to_set_number(OVERCOMMIT, overcommit_before);
}

static void on_two_nodes(struct workload *w)
{
	struct pool pool = { .bytes = workload_hugetlb_bytes(), .adds_surplus = -1 };
	struct workload_guard g;
	bool done;

	read_nodes(&pool);
	for (int node = 0; node < NODES; node++) {
		const int64_t *seen = pool.seen[node];

		if (seen[TOTAL] < 0 || !workload_may_use_node(node))
			workload_skip(w, "a second memory node (in QEMU: -numa node)");
		if (seen[FREE] != seen[TOTAL] || seen[SURPLUS])
			workload_skip(w, "hugetlb pages that nobody uses");
		pool.own[node] = seen[TOTAL];
	}
	before = pool;
	overcommit_before = workload_number(OVERCOMMIT, NULL, -1);
	g = workload_guard_begin(w, restore);
	done = workload_try_to_set_number(OVERCOMMIT, NODES) && play_all(w, &pool);
	for (int node = 0; node < NODES; node++)
		unmap(&pool, node);
	workload_guard_end(w, &g);
	if (!done)
		workload_skip(w, "hugetlb pages that can be made and migrated on both nodes");
	workload_report(w, "adds surplus", pool.adds_surplus);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_yes_no(j, "hugetlb.node_adds_surplus_of_others",
		     trial_reported(t, ON_TWO_NODES, "adds surplus"));
}

CASE(hugetlb_nodes) {
	.claim =
		"Each node counts the hugetlb pages that it has: nr_hugepages without surplus_hugepages is the number that was set, whatever the other node does, and nr_hugepages without free_hugepages is the number of pages in use. A surplus page that migrates is a surplus page of its new node",
	.because = "set_max_huge_pages() adds what the other nodes have to the number that is "
		   "written. move_hugetlb_state() moves the surplus with the page.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/hugetlbpage.rst"),
	.needs = NEEDS("hugetlb", "guest"),
	.steps = STEPS(STEP_AS(ON_TWO_NODES, "act on the pool of each node", on_two_nodes,
			       .checks = 1)),
	.facts = FACTS(FACT(
		"hugetlb.node_adds_surplus_of_others",
		"When a node's nr_hugepages is set, does the node get as many more pages as other nodes have surplus pages?",
		"yes|no")),
	.judge = judge,
};
