// SPDX-License-Identifier: MIT
/* oom_score grows with what the process has resident, in thousandths of all memory. */
#include <rssck/case.h>
#include <stdio.h>
#include <sys/sysinfo.h>
#include <unistd.h>

enum { BYTES = 64 << 20, SHMEM_BYTES = 16 << 20, SWAP_BYTES = 8 << 20, REGION = 0 };

static void tell_adjustment(struct workload *w)
{
	FILE *f = fopen("/proc/self/oom_score_adj", "re");
	int adjustment;

	if (!f || fscanf(f, "%d", &adjustment) != 1)
		workload_skip(w, "needs /proc/PID/oom_score_adj");
	fclose(f);
	workload_tell(w, "adjustment", adjustment);
	workload_tell(w, "root", geteuid() == 0);
}

static void map_and_write(struct workload *w)
{
	int64_t pages = (int64_t)(BYTES / w->page_size);

	w->slot[REGION] = workload_written(w, (size_t)pages);
	workload_expect(w, (struct posting)VIRT_DATA(pages));
	workload_expect(w, (struct posting)ANON_WRITE(pages));
}

static void write_shmem(struct workload *w)
{
	size_t pages = SHMEM_BYTES / w->page_size;

	touch_write(w,
		    workload_map(w, SHMEM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				 -1, 0),
		    pages);
	workload_expect(w, (struct posting)VIRT_OTHER((int64_t)pages));
	workload_expect(w, (struct posting)SHMEM_WRITE((int64_t)pages));
}

/* As much of it as there is swap for, maybe none. */
static void page_out(struct workload *w)
{
	int64_t swapped = madvise(w->slot[REGION], SWAP_BYTES, MADV_PAGEOUT) < 0
				  ? 0
				  : workload_pages_swapped(w, w->slot[REGION],
							   SWAP_BYTES / w->page_size);

	if (!swapped)
		workload_skip_step(w, "swap");
	workload_expect(w, (struct posting)ANON_WRITE(-swapped));
	workload_expect(w, (struct posting)SWAPPED(swapped));
}

/* mm/oom_kill.c oom_badness(), fs/proc/base.c proc_oom_score(), since 5.9. */
static int64_t score(int64_t pages, int64_t adjustment, int64_t all)
{
	int64_t badness = pages + adjustment * (all / 1000);

	return (1000 + badness * 1000 / all) * 2 / 3;
}

/* The sum is made from the approximate count that stat.rss shows: any score within its bound. */
static int64_t judge_score(const struct trial *t, struct judgement *j, const char *step,
			   int64_t all)
{
	const struct snapshot *s = trial_snapshot(t, step, 0);
	int64_t adjustment = trial_told(t, "ask the adjustment", "adjustment", 0);
	int64_t bound = model_bound(t->models, METRIC_STAT_RSS, 1);
	int64_t pages = snapshot_pages(s, METRIC_SMAPS_RSS, t->host->page_size) +
			snapshot_pages(s, METRIC_STATUS_VMSWAP, t->host->page_size) +
			snapshot_pages(s, METRIC_STATUS_VMPTE, t->host->page_size);
	int64_t seen = snapshot_value(s, METRIC_OOM_SCORE);
	int64_t least = score(pages - bound, adjustment, all);
	int64_t most = score(pages + bound, adjustment, all);

	judge_equal(j, step, "oom_score", seen,
		    seen < least  ? least
		    : seen > most ? most
				  : seen,
		    "oom_score = two thirds of 1000 + the thousandths of all memory that RSS, swap "
		    "and page tables are");
	return least;
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t before = snapshot_value(trial_snapshot(t, "ask the adjustment", 0),
					METRIC_OOM_SCORE);
	struct sysinfo info;

	if (before < 0 || model_bound(t->models, METRIC_STAT_RSS, 1) < 0 || sysinfo(&info) < 0)
		return judge_skip(j, "needs /proc/PID/oom_score, and a known model of stat.rss");

	int64_t all = (int64_t)((info.totalram + info.totalswap) * info.mem_unit) /
		      t->host->page_size;

	judge_score(t, j, "ask the adjustment", all);
	judge_score(t, j, "write 16 MiB of shmem", all);
	int64_t least = judge_score(t, j, "write 64 MiB", all);

	if (trial_snapshot(t, "page out 8 MiB", 0))
		judge_score(t, j, "page out 8 MiB", all);

	judge_moved_least(j, "write 64 MiB", METRIC_OOM_SCORE,
			  trial_moved(t, "ask the adjustment", "write 64 MiB", 0, METRIC_OOM_SCORE),
			  least - before, "oom_score rises with what is written");
	/* Until 4.17 root's processes were spared three percent. */
	if (trial_told(t, "ask the adjustment", "root", 0))
		judge_fact(j, "oom_score.spares_root", "%s", j->failed ? "yes" : "no");
}

CASE(counters_oom_score) {
	.claim = "oom_score grows with resident memory, swap and page tables, in thousandths of "
		 "all memory",
	.because = "oom_badness() adds get_mm_rss(), MM_SWAPENTS and the page tables; "
		   "proc_oom_score() scales the sum to all RAM and swap and prints two thirds of "
		   "it.",
	.said_by = SAID_BY("proc_pid_oom_score(5)"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("ask the adjustment", tell_adjustment),
		       STEP("write 16 MiB of shmem", write_shmem),
		       STEP("write 64 MiB", map_and_write), STEP("page out 8 MiB", page_out)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1), VIRT_OTHER(1), SHMEM_WRITE(1)),
	.moves = METRICS(METRIC_OOM_SCORE),
	.facts = FACTS(FACT("oom_score.spares_root", "no")),
	.judge = judge,
};
