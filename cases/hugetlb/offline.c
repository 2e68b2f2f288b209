// SPDX-License-Identifier: MIT
/*
 * Checks the hugetlb pool when memory goes offline: the free pages there are dissolved, and those
 * in use migrate.
 */
#include "../machine/block.h"
#include "node.h"
#include "pages.h"
#include <inttypes.h>

/* POOL pages are on the node whose memory goes offline, and MORE on the other one. */
enum { HERE = 0, ELSEWHERE = 1, POOL = 8, MORE = 12 };
STEP_SYMBOLS(EACH_STATE);

/* The state of the POOL pages when their memory goes offline. */
static const struct state {
	const char *name;
	int mapped, used;
	bool shrunk; /* the node's pool is then set to 0, which makes the mapped pages surplus */
} states[] = {
	{ .name = "free pages" },
	{ .name = "pages in use", .mapped = POOL, .used = POOL },
	{ .name = "reserved pages", .mapped = POOL, .used = 2 },
	{ .name = "surplus pages", .mapped = POOL, .used = 2, .shrunk = true },
};

enum { STATES = sizeof(states) / sizeof(*states) };

enum { TOTAL, FREE, SURPLUS, NUMBERS };

static const struct {
	const char *meminfo, *node;
} numbers[NUMBERS] = {
	[TOTAL] = { "HugePages_Total", "nr_hugepages" },
	[FREE] = { "HugePages_Free", "free_hugepages" },
	[SURPLUS] = { "HugePages_Surp", "surplus_hugepages" },
};

static int64_t of_node(const struct workload *w, int node, const char *file)
{
	return node_number(node, (size_t)w->number[BYTES], file, 0);
}

static void resize(struct workload *w, int node, int64_t to)
{
	char path[NODE_FILE];

	workload_set_number(w, node_file(node, (size_t)w->number[BYTES], "nr_hugepages", path), to);
}

static int64_t frames(struct workload *w)
{
	enum { WORDS = 4096, COMPOUND_HEAD = 15, HUGE = 17 };
	const uint64_t head = 1ULL << COMPOUND_HEAD | 1ULL << HUGE;
	static uint64_t words[WORDS];
	int fd = workload_open(w, "/proc/kpageflags", O_RDONLY);
	int64_t found = 0;
	ssize_t n;

	while ((n = read(fd, words, sizeof(words))) > 0)
		for (size_t i = 0; i < (size_t)n / sizeof(*words); i++)
			found += (words[i] & head) == head;
	close(fd);
	return found;
}

static void must_be(struct workload *w, const struct state *state, const char *when,
		    const char *name, int64_t value, int64_t expected)
{
	if (value != expected)
		workload_fail(w, "%s, %s: %s is %" PRId64 ", must be %" PRId64, state->name, when,
			      name, value, expected);
}

static int64_t persistent_now(void)
{
	return workload_number("/proc/sys/vm/nr_hugepages", NULL, -1);
}

static void check(struct workload *w, const struct state *state, const char *when, int64_t used)
{
	int64_t now[NUMBERS];

	for (int i = 0; i < NUMBERS; i++) {
		now[i] = workload_number("/proc/meminfo", numbers[i].meminfo, -1);
		must_be(w, state, when, numbers[i].meminfo, now[i],
			of_node(w, HERE, numbers[i].node) + of_node(w, ELSEWHERE, numbers[i].node));
	}
	must_be(w, state, when, "HugePages_Total", now[TOTAL], frames(w));
	must_be(w, state, when, "HugePages_Free", now[FREE], now[TOTAL] - used);
	if (!state->shrunk)
		must_be(w, state, when, "HugePages_Surp", now[SURPLUS],
			now[TOTAL] - persistent_now());
}

/*
 * Some kernels get HugePages_Surp and nr_hugepages wrong when surplus pages are dissolved.
 * nr_hugepages must stay what it was set to.
 */
static void report_surplus(struct workload *w, int64_t was)
{
	int64_t total = workload_number("/proc/meminfo", "HugePages_Total", -1);

	workload_report(w, "nr_hugepages before", was);
	workload_report(w, "nr_hugepages", persistent_now());
	workload_report(w, "surplus", workload_number("/proc/meminfo", "HugePages_Surp", -1));
	workload_report(w, "surplus due", total - was);
}

/*
 * First sets the pool to HugePages_Total pages, which makes HugePages_Surp 0 even where it is too
 * high; otherwise set_max_huge_pages() of one node would subtract below 0 and fill all memory.
 */
static void empty(struct workload *w)
{
	workload_set_number(w, "/proc/sys/vm/nr_hugepages",
			    workload_number("/proc/meminfo", "HugePages_Total", 0));
	workload_set(w, "/proc/sys/vm/nr_hugepages", "0");
}

/* Returns false if the memory does not go offline, for example because a page in it cannot move. */
static bool take_offline(struct workload *w, const struct state *state, int block)
{
	size_t bytes = (size_t)w->number[BYTES] * (size_t)state->mapped;
	int64_t persistent;
	char *p = NULL;
	bool done;

	resize(w, HERE, POOL);
	if (bytes)
		p = workload_hugetlb_map(w, bytes, -1);
	for (int k = 0; k < state->used; k++)
		touch_write(w, p + k * w->number[BYTES], 1);
	if (state->shrunk)
		resize(w, HERE, 0);
	resize(w, ELSEWHERE, MORE);
	check(w, state, "online", state->used);
	persistent = persistent_now();
	done = block_offline(block);
	check(w, state, "offline", state->used);
	if (done && state->shrunk)
		report_surplus(w, persistent);
	if (done)
		block_set(block, "online_movable");
	check(w, state, "online again", state->used);
	if (p)
		workload_unmap(w, p, bytes);
	check(w, state, "unmapped", 0);
	empty(w);
	return done;
}

static void each_state(struct workload *w)
{
	int64_t here, elsewhere, done = 0;
	char path[NODE_FILE];
	int block;

	w->number[BYTES] = (int64_t)workload_hugetlb_bytes();
	if (access(node_file(ELSEWHERE, (size_t)w->number[BYTES], "nr_hugepages", path), W_OK))
		workload_skip(w, "%s: %m", path);
	if (workload_number("/proc/meminfo", "HugePages_Free", 0) !=
	    workload_number("/proc/meminfo", "HugePages_Total", -1))
		workload_skip(w, "a hugetlb pool without pages in use");
	here = of_node(w, HERE, "nr_hugepages");
	elsewhere = of_node(w, ELSEWHERE, "nr_hugepages");
	empty(w);
	block = block_make_movable(HERE);
	for (size_t i = 0; block >= 0 && i < STATES; i++)
		done += take_offline(w, &states[i], block);
	block_restore(block);
	resize(w, HERE, here);
	resize(w, ELSEWHERE, elsewhere);
	if (!done)
		workload_skip(w, "memory that can go offline");
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t was = trial_reported_or(t, EACH_STATE, "nr_hugepages before", -1);

	if (was < 0)
		return;
	judge_yes_no(j, "hugetlb.surplus_pages_whose_memory_goes_offline",
		     trial_reported(t, EACH_STATE, "surplus") ==
			     trial_reported(t, EACH_STATE, "surplus due"));
	judge_fact(j, "hugetlb.nr_hugepages_when_surplus_pages_go_offline", "%s",
		   trial_reported(t, EACH_STATE, "nr_hugepages") == was ? "stays" : "falls");
}

CASE(hugetlb_offline) {
	.claim =
		"When memory goes offline, its free hugetlb pages leave HugePages_Total, and its used ones move to other memory. On some kernels surplus pages stay in HugePages_Surp; on some, nr_hugepages falls",
	.because =
		"dissolve_free_hugetlb_folios() frees the free pages of the range, and do_migrate_range() migrates the others. Before 6.16 the kernel leaves HugePages_Surp as it is, and before 7.2 it subtracts surplus pages from nr_hugepages; 6.12.118 has both fixes.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/memory-hotplug.rst"),
	.needs = NEEDS("hugetlb", "guest"),
	.limit_s = 60,
	.flags = CASE_OFFLINES,
	.steps = STEPS(STEP_AS(EACH_STATE, "offline pages in each state", each_state, .checks = 1)),
	.facts = FACTS(FACT("hugetlb.surplus_pages_whose_memory_goes_offline",
			    "When their memory goes offline, do surplus hugetlb pages leave "
			    "HugePages_Surp?",
			    "yes|no"),
		       FACT("hugetlb.nr_hugepages_when_surplus_pages_go_offline",
			    "When surplus hugetlb pages go offline, nr_hugepages", "stays|falls")),
	.judge = judge,
};
