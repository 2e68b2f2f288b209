// SPDX-License-Identifier: MIT
/*
 * oom_score with each value of oom_score_adj: one number of pages explains all of them. Processes
 * that share memory or are about to replace it, threads, and what oom_score_adj refuses.
 */
#include <inttypes.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <rssck/case.h>
#include <rssck/right.h>
#include <sched.h>
#include <sys/sysinfo.h>

STEP_SYMBOLS(SWEEP);

enum { PAGES = 3000, LEAST = -1000, MOST = 1000, DISABLE = -17, HIGHEST = 15 };

#define ADJ   "/proc/thread-self/oom_score_adj"
#define SCORE "/proc/thread-self/oom_score"

static int64_t page;  /* bytes */
static int64_t total; /* pages of RAM and swap */
static int from;      /* the lowest value that this process may write */

/* The rules of oom_badness() and proc_oom_score(), since 5.9. */
static int64_t score(int64_t pages, int adj)
{
	if (adj == LEAST)
		return 0;
	return (1000 + (pages + adj * (total / 1000)) * 1000 / total) * 2 / 3;
}

static int64_t score_now(void)
{
	return workload_number(SCORE, NULL, -1);
}

static bool set_adj(int adj)
{
	return workload_try_to_set_number(ADJ, adj);
}

static int64_t adj_now(void)
{
	return workload_number(ADJ, NULL, INT64_MIN);
}

/* What the score is about, in pages: RAM and swap, and the memory of this process. */
struct size {
	int64_t machine, process;
};

static struct size size_now(void)
{
	static const char status[] = "/proc/self/status";
	struct sysinfo si;
	int64_t kb = workload_number(status, "VmRSS", 0) + workload_number(status, "VmSwap", 0) +
		     workload_number(status, "VmPTE", 0);

	if (sysinfo(&si))
		return (struct size) { 0, 0 };
	return (struct size) { (int64_t)((si.totalram + si.totalswap) * si.mem_unit / page),
			       kb * 1024 / page };
}

/* ---- all values ---- */

struct range {
	int64_t least, most;
};

/* Narrows the range of pages to those for which oom_score is `seen`. The score never falls. */
static void narrow(struct range *r, int adj, int64_t seen)
{
	while (r->least <= r->most && score(r->least, adj) < seen) {
		int64_t step = 1;

		while (r->least + 2 * step <= r->most && score(r->least + step, adj) < seen)
			step *= 2;
		r->least += step > 1 ? step / 2 : 1;
	}
	while (r->least <= r->most && score(r->most, adj) > seen) {
		int64_t step = 1;

		while (r->most - 2 * step >= r->least && score(r->most - step, adj) > seen)
			step *= 2;
		r->most -= step > 1 ? step / 2 : 1;
	}
}

/* The old file has 32 steps; 1000 is 15 there, and the rest is cut towards 0. */
static int64_t old_value(int adj)
{
	int old = adj * -DISABLE / MOST;

	return adj == MOST || old > HIGHEST ? HIGHEST : old;
}

/* Reclaim and swapon(8) change the score, too. */
static bool has_changed(struct size before)
{
	struct size now = size_now();

	return now.machine != before.machine || now.process != before.process;
}

static int sweep(struct range *r, struct size size)
{
	for (int adj = from; adj <= MOST; adj++) {
		int64_t seen, old;

		if (!set_adj(adj))
			return workload_say(WRONG, "oom_score_adj refuses %d: %m", adj);
		seen = score_now();
		old = workload_number("/proc/thread-self/oom_adj", NULL, old_value(adj));
		if (adj_now() != adj || old != old_value(adj))
			return workload_say(WRONG,
					    "%d written: oom_score_adj %" PRId64
					    ", oom_adj %" PRId64 " instead of %" PRId64,
					    adj, adj_now(), old, old_value(adj));
		narrow(r, adj, seen);
		if (r->least > r->most)
			return has_changed(size)
				       ? CANNOT
				       : workload_say(WRONG,
						      "oom_score_adj %d: oom_score %" PRId64
						      " needs another number of pages than before",
						      adj, seen);
	}
	return RIGHT;
}

/* ---- what is refused ---- */

static int must_keep(const char *value, int error)
{
	int64_t before = adj_now();
	bool done = workload_try_to_set(ADJ, value);

	if (!done && errno == error && adj_now() == before)
		return RIGHT;
	return workload_say(WRONG,
			    "'%s' written to oom_score_adj: %s, and %" PRId64 " became %" PRId64,
			    value, done ? "accepted" : strerror(errno), before, adj_now());
}

/* Without CAP_SYS_RESOURCE it cannot go below what was last written with it. */
static int try_refused(void)
{
	static const struct {
		const char *value;
		int error;
	} rows[] = {
		{ "1001", EINVAL }, { "-1001", EINVAL }, { "one", EINVAL }, { "300", 0 },
		{ "800", 0 },       { "300", 0 },        { "299", EACCES }, { "-1000", EACCES }
	};
	int result = RIGHT;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows) && result == RIGHT; i++) {
		if (rows[i].error)
			result = must_keep(rows[i].value, rows[i].error);
		else if (!workload_try_to_set(ADJ, rows[i].value))
			result = workload_say(WRONG, "oom_score_adj refuses %s: %m", rows[i].value);
		if (i == 3 && workload_set_capability(CAP_SYS_RESOURCE, false))
			return RIGHT;
	}
	workload_set_capability(CAP_SYS_RESOURCE, true);
	return result;
}

/* ---- relatives ---- */

/* What a relative reads of itself, and what it writes for itself, in memory that both see. */
static struct read {
	int64_t adj, score;
} * seen;

static int writes = 500;

static int look(void *unused)
{
	(void)unused;
	seen->adj = adj_now();
	seen->score = score_now();
	set_adj(writes);
	syscall(SYS_exit, 0);
	return 0;
}

static char stack[64 << 10] __attribute__((aligned(16)));
static int gone;

/*
 * `flags` of clone(2). If the relative shares the mm, what it writes counts here, too
 * (__set_oom_adj()); not so for a vfork child. A vfork child has no score, because killing it would
 * free nothing (in_vfork()).
 */
static const struct relative {
	const char *name;
	int flags;
	bool shares_adj, no_score, is_thread;
} relatives[] = {
	{ "a forked child", SIGCHLD, false, false, false },
	{ "a child with CLONE_VM", CLONE_VM | SIGCHLD, true, false, false },
	{ "a vfork child", CLONE_VM | CLONE_VFORK | SIGCHLD, false, true, false },
	{ "a thread",
	  CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_CHILD_CLEARTID,
	  true, false, true },
};

static bool wait_for(const struct relative *r, pid_t pid)
{
	if (!r->is_thread)
		return waitpid(pid, NULL, 0) == pid;
	for (int tid = gone; tid; tid = *(volatile int *)&gone)
		syscall(SYS_futex, &gone, FUTEX_WAIT, tid, NULL, NULL, 0);
	return true;
}

static int try_relative(const struct relative *r, const struct range *pages)
{
	int64_t before, expected;
	pid_t pid;

	set_adj(400);
	before = score_now();
	memset(seen, 0, sizeof(*seen));
	gone = 1;
	pid = clone(look, stack + sizeof(stack), r->flags, NULL, NULL, NULL, &gone);
	if (pid < 0 || !wait_for(r, pid))
		return RIGHT;
	expected = r->no_score ? 0 : before;
	/* The pages of a forked child may be fewer, and are at least those of nothing. */
	if (seen->adj != 400 || (r->flags & CLONE_VM ? seen->score != expected
						     : seen->score > score(pages->most, 400) ||
							       seen->score < score(0, 400)))
		return workload_say(WRONG,
				    "%s: oom_score_adj %" PRId64 ", oom_score %" PRId64
				    " instead of 400 and %" PRId64,
				    r->name, seen->adj, seen->score, expected);
	if (adj_now() != (r->shares_adj ? writes : 400))
		return workload_say(WRONG, "%s wrote %d: oom_score_adj here is %" PRId64, r->name,
				    writes, adj_now());
	return RIGHT;
}

static int try_all(const struct workload *w)
{
	struct range r = { 0, 0 };
	struct size size;
	int result;

	page = (int64_t)w->page_size;
	r.most = total = size_now().machine;
	seen = workload_try_map(w->page_size, PROT_READ | PROT_WRITE, MAP_SHARED, -1);
	char *p = workload_try_map(PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);

	if (!total || !seen || !p || score_now() < 0)
		return CANNOT;
	touch_write(w, p, PAGES);
	memset(seen, 0, sizeof(*seen));
	from = set_adj(LEAST) ? LEAST : (int)adj_now();
	size = size_now();
	result = sweep(&r, size);
	if (result == RIGHT && from == LEAST)
		result = try_refused();
	for (size_t i = 0; i < sizeof(relatives) / sizeof(*relatives) && result == RIGHT; i++)
		result = from == LEAST ? try_relative(&relatives[i], &r) : RIGHT;
	if (result != RIGHT)
		return result;
	return workload_say(RIGHT, "%" PRId64 " %" PRId64 " %" PRId64, r.least, r.most,
			    size.process);
}

static void ask(struct workload *w)
{
	workload_report_if_right(w, try_all, "/proc/PID/oom_score of a process whose pages stay",
				 "least", "most", "pages");
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t bound = judge_bound(t, j, METRIC_OOM_SCORE, 1);
	int64_t pages = trial_reported(t, SWEEP, "pages");

	judge_true(j, SWEEP,
		   trial_reported(t, SWEEP, "least") <= pages + bound &&
			   trial_reported(t, SWEEP, "most") >= pages - bound,
		   "oom_score = that of VmRSS + VmSwap + VmPTE with each oom_score_adj");
	judge_true(j, SWEEP, pages >= PAGES, "the process has the pages that it has written");
}

CASE(counters_oom_score_adjusted) {
	.claim =
		"oom_score follows one formula for each value of oom_score_adj: 2/3 x (1000 + adj + 1000 x pages / (RAM + swap)), and 0 for -1000. A process with CLONE_VM has the same score and shares oom_score_adj; a vfork child has score 0",
	.because =
		"oom_badness() adds adj x (all pages / 1000) to the pages of the mm. __set_oom_adj() writes the value to each process that shares the mm, except vfork children. oom_badness() ignores a process in vfork.",
	.said_by = SAID_BY("proc_pid_oom_score(5)", "proc_pid_oom_score_adj(5)",
			   "proc_pid_oom_adj(5)"),
	.flags = CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(SWEEP, "each value of oom_score_adj", ask, .checks = 1)),
	.judge = judge,
};
