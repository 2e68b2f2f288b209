// SPDX-License-Identifier: MIT
/* Compares the numbers of taskstats (netlink) with those of stat, status and io. */
#include "taskstats.h"
#include <inttypes.h>

enum { PAGES = 700, DROPPED = 300, MINFLT = 10, MAJFLT = 12, CALLS = 2100, BYTES = 100 };

/* The kernel adds to the integrals at each tick of the CPU's time; no kernel has less than 100 Hz.
 */
enum { BUSY_US = 200000, TICK_US = 10000 };
STEP_SYMBOLS(ASK, BUSY);

enum {
	PEAK_RSS,
	PEAK_SIZE,
	MINOR,
	MAJOR,
	READ_CHARS,
	WRITTEN_CHARS,
	READS,
	WRITES,
	READ_BYTES,
	WRITTEN_BYTES,
	CANCELLED,
	NUMBERS
};

static const char *const names[NUMBERS] = {
	[PEAK_RSS] = "hiwater_rss",
	[PEAK_SIZE] = "hiwater_vm",
	[MINOR] = "ac_minflt",
	[MAJOR] = "ac_majflt",
	[READ_CHARS] = "read_char",
	[WRITTEN_CHARS] = "write_char",
	[READS] = "read_syscalls",
	[WRITES] = "write_syscalls",
	[READ_BYTES] = "read_bytes",
	[WRITTEN_BYTES] = "write_bytes",
	[CANCELLED] = "cancelled_write_bytes",
};

/* The same numbers in io of the thread, if it is there: io of the process adds reaped children. */
static const char *const io_names[NUMBERS] = {
	[READ_CHARS] = "rchar",
	[WRITTEN_CHARS] = "wchar",
	[READS] = "syscr",
	[WRITES] = "syscw",
	[READ_BYTES] = "read_bytes",
	[WRITTEN_BYTES] = "write_bytes",
	[CANCELLED] = "cancelled_write_bytes",
};

static void read_proc(struct workload *w, int64_t now[NUMBERS])
{
	now[PEAK_RSS] = workload_status_pages(w, "VmHWM");
	now[PEAK_SIZE] = workload_status_pages(w, "VmPeak");
	now[MINOR] = workload_stat(w, "self", MINFLT);
	now[MAJOR] = workload_stat(w, "self", MAJFLT);
	for (int i = READ_CHARS; i < NUMBERS; i++)
		now[i] = workload_number("/proc/thread-self/io", io_names[i], -1);
}

/* Reads stat, status and io before and after taskstats, because reading may raise the numbers. */
static void ask_all(struct workload *w)
{
	int64_t before[NUMBERS], after[NUMBERS], page = (int64_t)w->page_size / 1024;
	char *p = workload_written(w, PAGES);
	struct taskstats t = { 0 };
	int zeros = workload_open(w, "/dev/zero", O_RDWR);

	workload_advise(w, p, DROPPED * w->page_size, MADV_DONTNEED);
	for (int i = 0; i < CALLS; i++)
		if (read(zeros, workload_buffer, BYTES) != BYTES ||
		    write(zeros, workload_buffer, BYTES) != BYTES)
			workload_die(w, "/dev/zero: %m");
	close(zeros);
	read_proc(w, before);
	if (!read_taskstats(&t))
		workload_skip(w, "taskstats (CONFIG_TASKSTATS, CAP_NET_ADMIN)");
	read_proc(w, after);
	const int64_t of[NUMBERS] = { (int64_t)t.hiwater_rss / page,
				      (int64_t)t.hiwater_vm / page,
				      (int64_t)t.ac_minflt,
				      (int64_t)t.ac_majflt,
				      (int64_t)t.read_char,
				      (int64_t)t.write_char,
				      (int64_t)t.read_syscalls,
				      (int64_t)t.write_syscalls,
				      (int64_t)t.read_bytes,
				      (int64_t)t.write_bytes,
				      (int64_t)t.cancelled_write_bytes };

	/* The kernel gives these in whole KiB, even the numbers of calls (KB_MASK). */
	for (int i = READ_CHARS; i < NUMBERS; i++)
		before[i] -= before[i] % 1024;
	for (int i = 0; i < NUMBERS; i++)
		if (before[i] >= 0 && (of[i] < before[i] || of[i] > after[i]))
			workload_fail(w,
				      "%s of taskstats is %" PRId64
				      ", but stat, status and io said %" PRId64 " to %" PRId64,
				      names[i], of[i], before[i], after[i]);
	workload_checked(w);
	workload_unmap(w, p, PAGES * w->page_size);
}

static int64_t time_of(const struct taskstats *t)
{
	return (int64_t)(t->ac_utime + t->ac_stime);
}

/* Uses the CPU with memory that neither grows nor shrinks. */
static void be_busy(struct workload *w)
{
	struct taskstats before = { 0 }, after = { 0 };
	char *p = workload_written(w, PAGES);

	do {
		if (!read_taskstats(before.ac_pid ? &after : &before))
			workload_skip_step(w, "taskstats (CONFIG_TASKSTATS, CAP_NET_ADMIN)");
	} while (time_of(&after) < time_of(&before) + BUSY_US);
	if (!after.virtmem)
		workload_skip_step(w, "virtmem in taskstats (CONFIG_TASK_XACCT)");
	workload_report(w, "time", time_of(&after) - time_of(&before));
	workload_report(w, "coremem", (int64_t)(after.coremem - before.coremem));
	workload_report(w, "virtmem", (int64_t)(after.virtmem - before.virtmem));
	workload_report(w, "resident", workload_status_pages(w, "VmRSS"));
	workload_report(w, "size", workload_status_pages(w, "VmSize"));
	workload_unmap(w, p, PAGES * w->page_size);
	workload_checked(w);
}

/* The integrals are in MiB times microseconds. A tick before and one after may not be counted. */
static void judge_integral(const struct trial *t, struct judgement *j, const char *name,
			   int64_t pages, int64_t lag)
{
	double page = (double)t->host->page_size, mib = page / (1 << 20);
	double time = (double)trial_reported(t, BUSY, "time");
	double is = (double)trial_reported(t, BUSY, name), should = (double)pages * mib * time;
	/* Each tick's part is rounded down to 1024 page-nanoseconds, the sum to its unit. */
	double bound = TICK_US * (double)pages * mib + (double)lag * mib * (time + TICK_US) +
		       time / 1000 * page / 1024000 + 2;

	judge_true(j, BUSY, is >= should - bound && is <= should + bound,
		   "coremem and virtmem are RSS and VmSize, times the CPU time");
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t lag = judge_bound(t, j, METRIC_STAT_RSS, 1) +
		      judge_bound(t, j, METRIC_STATUS_VMRSS, 1);
	int64_t rss = trial_reported_or(t, BUSY, "resident", -1);

	if (rss < 0)
		return;
	judge_true(j, BUSY, rss >= PAGES - lag && trial_reported(t, BUSY, "time") >= BUSY_US,
		   "the process used the CPU, with the pages that it has written");
	judge_integral(t, j, "coremem", rss, lag);
	judge_integral(t, j, "virtmem", trial_reported(t, BUSY, "size"), 0);
}

CASE(counters_taskstats) {
	.claim =
		"taskstats gives the same peaks and faults of a process as /proc: hiwater_rss is VmHWM, hiwater_vm is VmPeak, ac_minflt and ac_majflt are minflt and majflt of stat, and the numbers of bytes and calls are those of io. coremem and virtmem grow by RSS and VmSize, times the CPU time",
	.because =
		"xacct_add_tsk() and bacct_add_tsk() in kernel/tsacct.c read the same fields of "
		"the task and its mm. At each tick __acct_update_integrals() adds the time since "
		"the last one, times get_mm_rss() and total_vm.",
	.said_by = SAID_BY("Documentation/accounting/taskstats-struct.rst"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(ASK, "write, drop, read taskstats", ask_all, .checks = 1),
		       STEP_AS(BUSY, "use the CPU", be_busy, .checks = 1)),
	.flags = CASE_ONE_CPU,
	.judge = judge,
};
