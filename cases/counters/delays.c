// SPDX-License-Identifier: MIT
/* The number and the total time of each kind of delay in taskstats rise together. */
#include "taskstats.h"
#include <inttypes.h>

enum { PAGES = 256, FINE = 0, WRONG, IMPOSSIBLE };

/* A wait for a CPU can take no time; the kernel counts another delay only if it took some. */
static const struct {
	const char *name;
	size_t count, total;
	bool may_be_short;
} delays[] = {
#define DELAY(name, short)                                                    \
	{                                                                     \
#name, offsetof(struct taskstats, name##_count),              \
			offsetof(struct taskstats, name##_delay_total), short \
	}
	DELAY(cpu, true),        DELAY(blkio, false),     DELAY(swapin, false),
	DELAY(freepages, false), DELAY(thrashing, false),
#if TASKSTATS_VERSION >= 11
	DELAY(compact, false),
#endif
#if TASKSTATS_VERSION >= 13
	DELAY(wpcopy, false),
#endif
#undef DELAY
};

static uint64_t member(const struct taskstats *t, size_t at)
{
	uint64_t value;

	memcpy(&value, (const char *)t + at, sizeof(value));
	return value;
}

/* Writes, pages out, reads back, and copies what a child shares. */
static void be_delayed(const struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	char *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	pid_t pid;

	if (!p)
		return;
	touch_write(w, p, PAGES);
	madvise(p, bytes, MADV_PAGEOUT);
	touch_read(w, p, PAGES);
	pid = fork();
	if (!pid) {
		touch_write(w, p, PAGES);
		_exit(0);
	}
	touch_write(w, p, PAGES);
	waitpid(pid, NULL, 0);
}

static int compare(const struct workload *w)
{
	struct taskstats t;

	be_delayed(w);
	if (!read_taskstats(&t))
		return workload_say(IMPOSSIBLE, "taskstats (CONFIG_TASKSTATS, CAP_NET_ADMIN)");
	for (size_t i = 0; i < sizeof(delays) / sizeof(*delays); i++) {
		uint64_t count = member(&t, delays[i].count), total = member(&t, delays[i].total);

		if ((total && !count) || (count && !total && !delays[i].may_be_short))
			return workload_say(
				WRONG, "%s_count is %" PRIu64 ", but %s_delay_total is %" PRIu64,
				delays[i].name, count, delays[i].name, total);
	}
	if (!t.cpu_count && !t.swapin_count)
		return workload_say(IMPOSSIBLE, "delays that are counted (CONFIG_TASK_DELAY_ACCT)");
	return FINE;
}

static void count_delays(struct workload *w)
{
	char text[200];
	int result = in_child_with_delays(w, compare, text, sizeof(text));

	if (result == WRONG)
		workload_fail(w, "%s", text);
	if (result == IMPOSSIBLE)
		workload_skip(w, "%s", text);
	workload_checked(w);
}

CASE(counters_delays) {
	.claim =
		"For each kind of delay in taskstats (CPU, block I/O, swap, reclaim, thrashing, compaction, copies), the number of delays is 0 if and only if their total time is 0",
	.because = "delayacct_end() adds the time and 1 in one place, and delayacct_add_tsk() "
		   "copies both.",
	.said_by = SAID_BY("Documentation/accounting/delay-accounting.rst"),
	.needs = NEEDS("root", "guest"),
	.steps = STEPS(STEP("be delayed, read taskstats", count_delays, .checks = 1)),
};
