// SPDX-License-Identifier: MIT
/* oom_score grows with what the process has resident, in thousandths of all memory. */
#include <rssck/case.h>
#include <rssck/judge.h>
#include <rssck/workload.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

enum { BYTES = 64 << 20 };

static void map_and_write(struct workload *w)
{
	int64_t pages = (int64_t)(BYTES / w->page_size);

	touch_write(
		w,
		workload_map(w, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		(size_t)pages);
	workload_expect(w, (struct posting)VIRT_DATA(pages));
	workload_expect(w, (struct posting)ANON_WRITE(pages));
}

/* fs/proc/base.c proc_oom_score(): (1000 + badness x 1000 / all) x 2 / 3; badness is in pages. */
static int64_t points(int64_t bytes, int64_t all)
{
	return (1000 + bytes * 1000 / all) * 2 / 3;
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t before = snapshot_value(trial_snapshot(t, "baseline", 0), METRIC_OOM_SCORE);
	int64_t after = snapshot_value(trial_snapshot(t, "write 64 MiB", 0), METRIC_OOM_SCORE);
	int64_t all, tables = BYTES / t->host->page_size * (int64_t)sizeof(uint64_t);
	struct sysinfo info;

	if (before < 0 || after < 0 || sysinfo(&info) < 0)
		return judge_skip(j, "needs /proc/PID/oom_score");
	all = (int64_t)(info.totalram + info.totalswap) * info.mem_unit;
	/* Each end is rounded twice, and page tables count as well: an entry for each page. */
	judge_within(j, "write 64 MiB", 0, "oom_score", after - before,
		     points(BYTES + tables, all) - points(0, all), 2,
		     "oom_score rises by the memory's share of all memory, rounded");
}

CASE(counters_oom_score) {
	.claim = "oom_score grows with resident memory, swap and page tables, in thousandths of "
		 "all memory",
	.because = "oom_badness() adds get_mm_rss(), MM_SWAPENTS and the page tables; "
		   "proc_oom_score() scales the sum to all RAM and swap and prints two thirds of "
		   "it.",
	.said_by = SAID_BY("proc_pid_oom_score(5)"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("write 64 MiB", map_and_write)),
	.judge = judge,
};
