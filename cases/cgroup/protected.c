// SPDX-License-Identifier: MIT
/*
 * memory.min keeps a cgroup's page cache from reclaim; memory.low does so only while unprotected
 * memory is left.
 */
#include <rssck/case.h>

enum { PAGES = 2048, FD = 0 };
STEP_SYMBOLS(RECLAIM);

/*
 * A cgroup that has enabled a controller for its children cannot have processes, so the controller
 * is disabled first.
 */
static void remove_both(struct workload *w)
{
	workload_cgroup_write(w, "cgroup.subtree_control", "-memory");
	workload_cgroup_write(w, "cgroup.procs", "0");
	workload_cgroup_remove(w, "protected");
	workload_cgroup_remove(w, "other");
}

static void make_both(struct workload *w)
{
	int error;

	if (workload_cgroup_make(w, "protected") && workload_cgroup_make(w, "other") &&
	    workload_cgroup_write(w, "protected/cgroup.procs", "0") &&
	    workload_cgroup_write(w, "cgroup.subtree_control", "+memory"))
		return;
	error = errno;
	remove_both(w);
	workload_cgroup_leave(w);
	workload_skip(w, "a cgroup inside a cgroup: %s", strerror(error));
}

static void read_part(struct workload *w, size_t from)
{
	for (size_t at = 0; at < PAGES * w->page_size; at += WORKLOAD_BUFFER)
		if (pread(w->fd[FD], workload_buffer, WORKLOAD_BUFFER,
			  (off_t)(from * w->page_size + at)) < 0)
			workload_die(w, "read: %m");
}

static void read_both(struct workload *w)
{
	workload_cgroup_write(w, "other/cgroup.procs", "0");
	read_part(w, PAGES);
	workload_cgroup_write(w, "protected/cgroup.procs", "0");
	read_part(w, 0);
}

/* Requests more than the unprotected cgroup has, so that the protection matters. */
static void reclaim(struct workload *w)
{
	if (!workload_cgroup_try_to_set(w, "memory.reclaim", PAGES + PAGES / 2) &&
	    errno != EAGAIN) {
		remove_both(w);
		workload_cgroup_leave(w);
		workload_skip(w, "memory.reclaim (%s)", strerror(errno));
	}
}

/* The protection holds against reclaim from above only. */
static void reclaim_itself(struct workload *w)
{
	workload_cgroup_try_to_set(w, "protected/memory.reclaim", PAGES / 2);
	workload_cgroup_settle(w);
	workload_report_of(w, "itself", "protected file",
			   workload_cgroup_pages(w, "protected/memory.stat", "file"));
}

static void report(struct workload *w, const char *when)
{
	static const struct {
		const char *what, *file, *field;
		bool pages;
	} numbers[] = {
		{ "protected file", "protected/memory.stat", "file", true },
		{ "other file", "other/memory.stat", "file", true },
		{ "low", "protected/memory.events", "low", false },
		{ "other low", "other/memory.events", "low", false },
		{ "parent low", "memory.events", "low", false },
		{ "parent's own low", "memory.events.local", "low", false },
		{ "own low", "protected/memory.events.local", "low", false },
	};
	char of[WORKLOAD_CGROUP_PATH];

	workload_cgroup_settle(w);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		int64_t n = workload_number(workload_cgroup_path(w, numbers[i].file, of),
					    numbers[i].field, 0);

		workload_report_of(w, when, numbers[i].what,
				   numbers[i].pages ? n / (int64_t)w->page_size : n);
	}
}

static void protect(struct workload *w)
{
	w->fd[FD] = workload_file_uncached(w, 2 * PAGES);
	workload_cgroup_enter(w);
	make_both(w);
	read_both(w);
	report(w, "read");
	workload_cgroup_write(w, "protected/memory.min", "max");
	reclaim(w);
	report(w, "min");
	reclaim_itself(w);
	workload_cgroup_write(w, "protected/memory.min", "0");
	workload_cgroup_write(w, "protected/memory.low", "max");
	read_both(w);
	report(w, "again");
	reclaim(w);
	report(w, "low");
	remove_both(w);
	workload_cgroup_leave(w);
	workload_checked(w);
}

static int64_t number(const struct trial *t, const char *when, const char *what)
{
	return trial_reported_of(t, RECLAIM, when, what);
}

/*
 * The kernel decides how much it reclaims below memory.low when no unprotected memory is left, so
 * the amount is not checked.
 */
static void judge(const struct trial *t, struct judgement *j)
{
	int64_t had = number(t, "read", "protected file");

	judge_true(j, RECLAIM, had >= PAGES / 2,
		   "the protected cgroup is charged for at least half of its part of the file");
	judge_within(j, RECLAIM, 0, "file", number(t, "min", "protected file"), had,
		     2 * CGROUP_BATCH, "memory below memory.min is not reclaimed");
	judge_true(j, RECLAIM,
		   number(t, "min", "other file") < number(t, "read", "other file") - PAGES / 2,
		   "unprotected memory is reclaimed");
	judge_yes_no(j, "cgroup.own_reclaim_ignores_protection",
		     number(t, "itself", "protected file") <
			     number(t, "min", "protected file") - PAGES / 4);
	judge_true(j, RECLAIM, number(t, "again", "low") == 0,
		   "low in memory.events is 0 until memory below memory.low is reclaimed");
	judge_true(j, RECLAIM, number(t, "low", "low") > 0,
		   "low in memory.events rises if only protected memory was left");
	judge_true(
		j, RECLAIM, number(t, "low", "own low") == number(t, "low", "low"),
		"low is the same in memory.events.local and memory.events if the cgroup has no child");
	judge_true(j, RECLAIM, number(t, "low", "parent low") >= number(t, "low", "low"),
		   "low in the parent's memory.events includes the child's");
	judge_true(
		j, RECLAIM, number(t, "low", "parent's own low") == 0,
		"low in the parent's memory.events.local stays 0 when only the child's low rises");
	judge_true(j, RECLAIM, number(t, "low", "other low") == 0,
		   "low of a cgroup without protection stays 0");
}

CASE(cgroup_protected) {
	.claim =
		"The kernel does not reclaim page cache that memory.min protects. If it must reclaim page cache that memory.low protects, low rises in memory.events of the cgroup and of its parent. memory.reclaim of the cgroup itself ignores its protection (since 6.2)",
	.because = "shrink_node_memcgs() skips a cgroup below its protection. If reclaim frees "
		   "nothing, a second pass also reclaims below memory.low and counts MEMCG_LOW.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.low"),
	.needs = NEEDS("root", "guest"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(RECLAIM, "reclaim", protect, .checks = 1)),
	.facts = FACTS(FACT(
		"cgroup.own_reclaim_ignores_protection",
		"Does memory.reclaim of a cgroup reclaim page cache that its own memory.min protects?",
		"yes|no")),
	.judge = judge,
};
