// SPDX-License-Identifier: MIT
/*
 * taskstats of each thread and of the process, while they wait and when they end in each order: the
 * numbers of a live thread are those of /proc, those that are sent at its end are the same, all
 * threads' add up to what wait4(2) returns, and the process's delays to those of its threads.
 */
#include "taskstats_group.h"

/* ---- live ---- */

static int must_be(const char *way, const char *who, const char *what, int64_t is, int64_t should)
{
	return is == should ? RIGHT
			    : workload_say(WRONG, "%s: %s of %s is %" PRId64 " instead of %" PRId64,
					   way, what, who, is, should);
}

/* The kernel gives bytes and calls in whole KiB (KB_MASK). */
static int compare_with_proc(const char *way, int i)
{
	const struct member *m = members;
	struct taskstats t;
	char name[16];
	int result = RIGHT;

	snprintf(name, sizeof(name), "thread %d", i);
	if (!read_taskstats_of(TASKSTATS_CMD_ATTR_PID, (uint32_t)tid_of(i), &t))
		return workload_say(WRONG, "%s: no taskstats of %s", way, name);
	for (; m < members + MEMBERS && result == RIGHT; m++) {
		int64_t proc = m->file ? member_of_proc(m, tid_of(i)) : -1;

		if (proc >= 0)
			result = must_be(way, name, m->name, member(&t, m),
					 m->in_kb ? proc & ~1023LL : proc);
	}
	live[i] = t;
	return result;
}

/*
 * taskstats of the process has delays, and no memory: those are of all threads, dead or alive. If
 * threads end together, the last one to lower signal->live may send the process's numbers before
 * another has added its own (seen on 5.10).
 */
static int compare_group(const char *way, const char *when, const struct taskstats *group,
			 bool may_lack)
{
	char what[64];

	for (const struct member *m = members; m < members + MEMBERS; m++) {
		int64_t sum = 0;

		for (int i = 0; m->is_delay && i < THREADS; i++)
			sum += member(has_ended[i] ? &at_end[i] : &live[i], m);
		if (may_lack && member(group, m) >= 0 && member(group, m) < sum)
			continue;
		if (must_be(way, when, strcat(strcpy(what, "process's "), m->name),
			    member(group, m), sum) == WRONG)
			return WRONG;
	}
	return RIGHT;
}

static int compare_live(const char *way)
{
	struct taskstats group;
	int result = RIGHT;

	for (int i = 0; i < THREADS && result == RIGHT; i++)
		if (!has_ended[i])
			result = compare_with_proc(way, i);
	if (result != RIGHT)
		return result;
	if (!read_taskstats_of(TASKSTATS_CMD_ATTR_TGID, (uint32_t)crew->pid, &group))
		return workload_say(WRONG, "%s: no taskstats of the process", way);
	return compare_group(way, "live threads", &group, false);
}

/* ---- ends ---- */

/*
 * What a thread has at its end is what it had while it waited; only the integrals of memory over
 * time rise further.
 */
static int compare_end(const char *way, int i)
{
	const struct taskstats *t = &at_end[i];

	for (const struct member *m = members; m < members + MEMBERS; m++)
		if (must_be(way, "a thread that ends", m->name, member(t, m),
			    member(&live[i], m)) == WRONG)
			return WRONG;
	if (t->coremem < live[i].coremem || t->virtmem < live[i].virtmem)
		return workload_say(WRONG, "%s: coremem or virtmem is less at the end", way);
	return RIGHT;
}

/* Takes the messages of all threads that have ended. Only the last one's includes the process. */
static int take_ends(const char *way, unsigned ends, struct taskstats *group, bool *has_group)
{
	struct taskstats t;
	bool is_last, is_alone = !(ends & (ends - 1));
	int i, result = RIGHT;

	for (; ends && result == RIGHT; ends &= ~(1U << i)) {
		i = next_end(&t, group, &is_last);
		if (i < 0)
			return i == LOST ? workload_say(CANNOT, "messages that are not lost")
					 : workload_say(WRONG,
							"%s: no message of a thread that has ended",
							way);
		at_end[i] = t;
		has_ended[i] = true;
		*has_group |= is_last;
		if (is_last && is_alone && nr_ended() < THREADS)
			return workload_say(WRONG, "%s: the process's numbers come too early", way);
		result = compare_end(way, i);
	}
	return result;
}

static int compare_wait(const char *way, const struct rusage *usage)
{
	int64_t minor = 0, major = 0;

	for (int i = 0; i < THREADS; i++) {
		minor += (int64_t)at_end[i].ac_minflt;
		major += (int64_t)at_end[i].ac_majflt;
	}
	if (must_be(way, "wait4(2)", "ru_minflt", usage->ru_minflt, minor) == WRONG ||
	    must_be(way, "wait4(2)", "ru_majflt", usage->ru_majflt, major) == WRONG)
		return WRONG;
	return must_be(way, "wait4(2)", "ru_maxrss", usage->ru_maxrss,
		       (int64_t)at_end[last].hiwater_rss);
}

/* ---- ways ---- */

/* The order in which the threads end; thread 0 is the first one of the process. */
static const struct way {
	const char *name;
	int order[THREADS]; /* none if all end together */
	int signal;         /* that ends all */
} ways[] = {
	{ "the first thread ends last", { 2, 1, 0 }, 0 },
	{ "the first thread ends first", { 0, 1, 2 }, 0 },
	{ "the first thread ends between", { 1, 0, 2 }, 0 },
	{ "a signal ends all", { -1 }, SIGKILL },
	{ "a thread ends all", { -1 }, 0 },
};

static int end_one_by_one(const struct way *y, struct taskstats *group, bool *has_group)
{
	int result = compare_live(y->name);

	for (int k = 0; k < THREADS && result == RIGHT; k++) {
		last = y->order[k];
		let_end(last, END_THREAD);
		result = take_ends(y->name, 1U << last, group, has_group);
		if (result == RIGHT && k < THREADS - 1)
			result = compare_live(y->name);
	}
	return result;
}

static int end_together(const struct way *y, struct taskstats *group, bool *has_group)
{
	int result = compare_live(y->name);

	if (result != RIGHT)
		return result;
	last = 0;
	if (y->signal)
		kill(crew->pid, y->signal);
	else
		let_end(1, END_ALL);
	await_zombie();
	return take_ends(y->name, (1U << THREADS) - 1, group, has_group);
}

static int try_way(const struct way *y)
{
	struct taskstats group;
	struct rusage usage;
	bool has_group = false;
	int result;

	if (!crew_starts())
		return workload_say(CANNOT, "three threads");
	result = *y->order >= 0 ? end_one_by_one(y, &group, &has_group)
				: end_together(y, &group, &has_group);
	kill(crew->pid, SIGKILL);
	if (wait4(crew->pid, NULL, 0, &usage) != crew->pid)
		return CANNOT;
	if (result != RIGHT)
		return result;
	if (!has_group)
		return workload_say(WRONG, "%s: the last message lacks the process", y->name);
	result = compare_group(y->name, "threads that have ended", &group, *y->order < 0);
	return result == RIGHT ? compare_wait(y->name, &usage) : result;
}

static int try_all(const struct workload *w)
{
	int64_t delays = 0;
	int result = RIGHT;

	workload = w;
	if (!listen_begin())
		return CANNOT;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways) && result == RIGHT; i++)
		result = try_way(&ways[i]);
	listen_end();
	for (const struct member *m = members; m < members + MEMBERS; m++)
		for (int i = 0; m->is_delay && i < THREADS; i++)
			delays += member(&at_end[i], m);
	return result == RIGHT ? workload_say(RIGHT, "%" PRId64 " %" PRIu64, delays,
					      (uint64_t)at_end[1].ac_minflt)
			       : result;
}

static void each_order(struct workload *w)
{
	char text[320], *next = text;
	int result = in_child_with_delays(w, try_all, text, sizeof(text));

	if (result == WRONG)
		workload_fail(w, "%s", text);
	if (result != RIGHT)
		workload_skip(w, "%s", *text ? text : LISTENER);
	workload_report(w, "delays", strtoll(text, &next, 10));
	workload_report(w, "faults", strtoll(next, NULL, 10));
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_true(j, ENDS, trial_reported(t, ENDS, "faults") >= PAGES,
		   "a thread has the faults of the pages that it has touched");
}

CASE(counters_taskstats_exit) {
	.claim =
		"taskstats of a thread has the faults, bytes, calls and peaks that /proc shows; at the thread's end it is sent with the same numbers, in whatever order threads end. The faults of all threads are those that wait4(2) returns, and hiwater_rss is ru_maxrss. taskstats of a process has the delays of all its threads, dead or alive, and no memory",
	.because = "do_exit() calls taskstats_exit() before exit_mm(). fill_tgid_exit() adds the "
		   "delays of each thread that ends to signal->stats, fill_stats_for_tgid() those "
		   "of live ones. xacct_add_tsk() is called only for tasks.",
	.said_by = SAID_BY("Documentation/accounting/taskstats.rst",
			   "Documentation/accounting/delay-accounting.rst"),
	.needs = NEEDS("root", "guest"),
	.limit_s = 60,
	.steps = STEPS(STEP_AS(ENDS, "end in each order", each_order, .checks = 1)),
	.judge = judge,
};
