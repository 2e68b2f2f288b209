// SPDX-License-Identifier: MIT
/*
 * A process in the innermost of three cgroups runs into a memory.max, at each level, with
 * memory.oom.group set at each combination of levels: the right processes are killed, and each
 * cgroup counts its own.
 */
#include "tree.h"
#include <rssck/panics.h>

STEP_SYMBOLS(KILL);

enum { ROOM = 256, LOCKED = 2 * ROOM, NOBODY = NODES };

/* The processes; the first one exceeds the limit. */
static const struct {
	size_t node;
	const char *adjust;
} who[] = {
	{ INNER, "1000" },     { INNER, "0" },         { INNER, "-1000" },
	{ BESIDE_INNER, "0" }, { BESIDE_MIDDLE, "0" },
};

enum { ALL = sizeof(who) / sizeof(*who), VICTIM = 0 };

static const size_t parents[NODES] = { NOBODY, OUTER, MIDDLE, MIDDLE, OUTER };

static struct {
	size_t level;    /* that has the limit */
	unsigned groups; /* the levels that have memory.oom.group, as bits */
	pid_t pid[ALL];
	int go[2];
	bool killed[ALL], doubled, once, local;
} at;

/* ---- processes ---- */

static _Noreturn void exceed(size_t page)
{
	char byte;
	void *p = workload_try_map(LOCKED * page, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	if (p && read(at.go[0], &byte, 1) == 1)
		mlock(p, LOCKED * page);
	_exit(0);
}

static _Noreturn void be(const struct workload *w, size_t i, int ready)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (!workload_try_to_set("/proc/self/oom_score_adj", who[i].adjust) ||
	    !tree_join(who[i].node) || write(ready, "", 1) != 1)
		_exit(1);
	if (i == VICTIM)
		exceed(w->page_size);
	for (;;)
		pause();
}

/* Returns false if a process could not enter its cgroup. */
static bool start_all(const struct workload *w)
{
	bool ready = true;
	char byte;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) || pipe2(at.go, O_CLOEXEC))
		return false;
	for (size_t i = 0; i < ALL; i++) {
		at.pid[i] = fork();
		if (!at.pid[i])
			be(w, i, ends[1]);
	}
	close(ends[1]);
	for (size_t i = 0; i < ALL; i++)
		ready &= read(ends[0], &byte, 1) == 1;
	close(ends[0]);
	return ready;
}

static bool has_ended(size_t i, int *status)
{
	return waitpid(at.pid[i], status, WNOHANG) == at.pid[i];
}

/* Those that are not killed are ended. All are told to end before the first one has ended. */
static void end_all(const bool must[ALL])
{
	for (size_t i = 0; i < ALL; i++) {
		struct patience p = { .seconds = WAIT_S };
		int status = 0;
		bool ended;

		while (!(ended = has_ended(i, &status)) && must[i] && workload_pause(&p))
			;
		at.killed[i] = ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
		if (at.killed[i] != must[i])
			tree_wrong("process %zu, in %s, %s", i, nodes[who[i].node],
				   must[i] ? "is not killed" : "is killed");
	}
	close(at.go[0]);
	close(at.go[1]);
}

static void reap_all(void)
{
	for (size_t i = 0; i < ALL; i++)
		if (!at.killed[i] && at.pid[i] > 0)
			workload_companion_ends(at.pid[i]);
}

/* ---- what must happen ---- */

/* Returns the outermost level with memory.oom.group that is not outside of the limit's. */
static size_t group(void)
{
	for (size_t l = at.level; l < LEVELS; l++)
		if (at.groups & 1U << l)
			return l;
	return NOBODY;
}

static bool is_below(size_t node, size_t ancestor)
{
	for (; node != NOBODY; node = parents[node])
		if (node == ancestor)
			return true;
	return false;
}

static void who_must_go(bool must[ALL])
{
	for (size_t i = 0; i < ALL; i++)
		must[i] = i == VICTIM ||
			  (strcmp(who[i].adjust, "-1000") != 0 && is_below(who[i].node, group()));
}

/* Returns how often the event must be counted in the node itself. */
static int64_t own(const char *line, size_t node)
{
	int64_t kills = 0;

	if (!strcmp(line, "max") || !strcmp(line, "oom"))
		return node == at.level ? SEVERAL : 0;
	if (!strcmp(line, "oom_group_kill"))
		return node == group();
	if (strcmp(line, "oom_kill") != 0)
		return 0;
	for (size_t i = 0; i < ALL; i++)
		kills += at.killed[i] && who[i].node == node;
	return kills + (node == INNER && group() != NOBODY && at.doubled);
}

static int64_t expected(const char *file, size_t node, const char *line)
{
	int64_t sum = 0;

	if (strncmp(file, "memory.events", 13) != 0)
		return 0;
	if (tree_is_local(file) || at.local)
		return own(line, node);
	for (size_t n = 0; n < NODES; n++)
		if (is_below(n, node)) {
			int64_t more = own(line, n);

			sum = more == SEVERAL ? SEVERAL : sum + more;
		}
	return sum;
}

/* Looks whether the process that exceeds the limit is counted twice if its group is killed. */
static void note_doubled(tree_events before, tree_events after)
{
	int64_t kills = 0;

	at.doubled = false;
	if (group() == NOBODY)
		return;
	for (size_t f = 0; f < tree.files; f++)
		for (size_t l = 0; l < EVENT_LINES; l++)
			if (!strcmp(tree.of[f].name, "memory.events.local") &&
			    !strcmp(tree.of[f].lines[l], "oom_kill"))
				kills = after[f][INNER][l] - before[f][INNER][l];
	at.doubled = kills > own("oom_kill", INNER);
	at.once |= !at.doubled;
}

/* ---- one combination ---- */

static void set_limit(const struct workload *w)
{
	tree_set_bytes(at.level, "memory.max",
		       tree_number(at.level, "memory.current", NULL) +
			       ROOM * (int64_t)w->page_size);
	for (size_t l = 0; l < LEVELS; l++)
		tree_set_bytes(l, "memory.oom.group", at.groups >> l & 1);
}

static void try_combination(const struct workload *w)
{
	static tree_events before, after;
	bool must[ALL];

	tree_read_events(before);
	if (!start_all(w))
		tree_wrong("a process cannot enter its cgroup");
	set_limit(w);
	who_must_go(must);
	if (!*tree.wrong && write(at.go[1], "", 1) != 1)
		tree_wrong("write: %s", strerror(errno));
	end_all(must);
	reap_all();
	tree_read_events(after);
	note_doubled(before, after);
	tree_judge_events(before, after, expected);
	tree_write(at.level, "memory.max", "max");
}

static void try_all(const struct workload *w)
{
	for (at.level = OUTER; at.level < LEVELS; at.level++)
		for (at.groups = 0; at.groups < 1U << LEVELS; at.groups++) {
			try_combination(w);
			if (*tree.wrong)
				return;
		}
}

static void each_combination(struct workload *w)
{
	char groups[32];

	if (workload_oom_panics())
		workload_skip(w, OOM_PANICS);
	memset(&at, 0, sizeof(at));
	at.local = tree_has_option("memory_localevents");
	tree_make(w);
	try_all(w);
	tree_remove();
	if (*tree.wrong)
		workload_fail(w, "memory.max of %s, memory.oom.group of%s: %s", nodes[at.level],
			      tree_levels(at.groups, groups), tree.wrong);
	workload_report(w, "once", at.once);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact(j, "oom_group.victim_counted", "%s",
		   trial_reported(t, KILL, "once") ? "once" : "twice");
}

CASE(cgroup_oom_by_level) {
	.claim =
		"At a memory.max of any level the process that exceeds it is killed, and with it those of the outermost cgroup with memory.oom.group at or below that level; the limit's cgroup counts max and oom, each cgroup its own oom_kill, the group's oom_group_kill, and ancestors show the sums",
	.because =
		"mem_cgroup_get_oom_group() walks from the victim's cgroup up to that of the "
		"limit and takes the last one with memory.oom.group. __oom_kill_process() counts "
		"MEMCG_OOM_KILL in the cgroup of each process; for the victim it runs once "
		"before, and once for the group.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.oom.group",
			   "Documentation/admin-guide/cgroup-v2.rst, memory.events"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.limit_s = 240,
	.steps = STEPS(STEP_AS(KILL, "each group at each level", each_combination, .checks = 1)),
	.facts = FACTS(FACT(
		"oom_group.victim_counted",
		"If its group is killed, oom_kill counts the process that the OOM killer chose",
		"once|twice")),
	.judge = judge,
};
