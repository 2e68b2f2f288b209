// SPDX-License-Identifier: MIT
/* oom_score grows with the process's resident memory as a part of all memory. */
#include <rssck/case.h>
#include <sys/sysinfo.h>

/*
 * THOUSANDTHS of all memory change oom_score by more than 2 points; the counters' lag changes it by
 * less.
 */
enum { THOUSANDTHS = 4, LEAST_BYTES = 16 << 20, SWAP_BYTES = 8 << 20, TABLES = 2048 };
STEP_SYMBOLS(ASK_THE_ADJUSTMENT, WRITE_SHMEM_THINLY, WRITE_AND_PAGE_OUT,
	     WRITE_A_SHARE_OF_ALL_MEMORY);

static int64_t number_in(struct workload *w, const char *path)
{
	int64_t number = workload_number(path, NULL, INT64_MIN);

	if (number == INT64_MIN)
		workload_skip(w, "%s", path);
	return number;
}

static void report_adjustment(struct workload *w)
{
	workload_report(w, "adjustment", number_in(w, "/proc/self/oom_score_adj"));
	workload_report(w, "root", geteuid() == 0);
}

static void map_and_write(struct workload *w)
{
	struct sysinfo si;
	int64_t pages;
	int64_t least = (int64_t)(LEAST_BYTES / w->page_size);

	workload_must(w, sysinfo(&si), "sysinfo"); /* all memory is RAM plus swap */
	pages = (int64_t)workload_share_of_memory(
		w, (unsigned)(THOUSANDTHS * (si.totalram + si.totalswap) / si.totalram));
	if (pages < least)
		pages = least;
	workload_written(w, (size_t)pages);
	workload_expect(w, VIRT_DATA(pages), ANON_WRITE(pages));
}

static void write_and_page_out(struct workload *w)
{
	int64_t pages = (int64_t)(SWAP_BYTES / w->page_size), swapped = 0;
	void *p = workload_written(w, (size_t)pages);

	if (madvise(p, SWAP_BYTES, MADV_PAGEOUT) == 0)
		swapped = workload_pages_swapped(w, p, (size_t)pages);
	workload_expect(w, VIRT_DATA(pages), ANON_WRITE(pages - swapped), SWAPPED(swapped));
}

/*
 * Maps one shmem page per page table. Reads oom_score here, because the step unmaps the pages at
 * its end.
 */
static void write_thinly(struct workload *w)
{
	size_t reach = workload_table_bytes(w), tables;
	int64_t before;
	char *p;

	/* A 32-bit address space is too small for enough page tables to change oom_score. */
	tables = SIZE_MAX / 4 / reach < TABLES ? 0 : TABLES;
	p = tables ? workload_try_map(tables * reach, PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_NORESERVE, -1)
		   : NULL;
	if (!p)
		workload_skip_step(w, "address space for %d page tables that map %zu kB each",
				   TABLES, reach >> 10);
	before = workload_number("/proc/self/status", "VmPTE", 0);
	for (size_t i = 0; i < TABLES; i++)
		touch_write(w, p + i * reach, 1);
	workload_report(w, "tables", workload_number("/proc/self/status", "VmPTE", 0) - before);
	workload_checked(w);
	workload_report(w, "score", number_in(w, "/proc/self/oom_score"));
	munmap(p, TABLES * reach);
}

/*
 * Computes oom_score as oom_badness() (mm/oom_kill.c) and proc_oom_score() (fs/proc/base.c) do
 * since 5.9.
 */
static int64_t score(int64_t pages, int64_t adjustment, int64_t all)
{
	int64_t badness = pages + adjustment * (all / 1000);

	return (1000 + badness * 1000 / all) * 2 / 3;
}

/*
 * Accepts any score within the bound of the counters, because oom_badness() may read an approximate
 * count. Returns the smallest score that it accepts, or 0 if the step was skipped. `thinly` is how
 * many pages and page tables the step had mapped and has unmapped since.
 */
static int64_t judge_score(const struct trial *t, struct judgement *j, unsigned step, int64_t all,
			   int64_t thinly)
{
	const struct snapshot *s = trial_snapshot(t, step, 0);
	int64_t adjustment = trial_reported(t, ASK_THE_ADJUSTMENT, "adjustment");
	int64_t bound = judge_bound(t, j, METRIC_OOM_SCORE, 1);

	if (!s) /* the step was skipped */
		return 0;

	int64_t pages = snapshot_pages(s, METRIC_SMAPS_RSS, t->host->page_size) +
			snapshot_pages(s, METRIC_STATUS_VMSWAP, t->host->page_size) +
			snapshot_pages(s, METRIC_STATUS_VMPTE, t->host->page_size);
	int64_t seen = trial_reported_or(t, step, "score", snapshot_value(s, METRIC_OOM_SCORE));
	int64_t least = score(pages + thinly - bound, adjustment, all);
	int64_t most = score(pages + thinly + thinly / 100 + bound, adjustment, all);

	judge_equal(
		j, step, "oom_score", seen,
		seen < least  ? least
		: seen > most ? most
			      : seen,
		"oom_score = 2/3 x (1000 + oom_score_adj + 1000 x (RSS + swap + page tables) / (RAM + swap))");
	return least;
}

static void judge_thinly(const struct trial *t, struct judgement *j, int64_t all)
{
	int64_t kb = trial_reported(t, WRITE_SHMEM_THINLY, "tables"),
		bytes = TABLES * trial_table_bytes(t);

	if (kb < 0)
		return;
	judge_true(j, WRITE_SHMEM_THINLY, kb >= bytes / 1024,
		   "VmPTE counts a page table for each page");
	judge_score(t, j, WRITE_SHMEM_THINLY, all, TABLES + bytes / t->host->page_size);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t before = trial_value(t, ASK_THE_ADJUSTMENT, 0, METRIC_OOM_SCORE);
	struct sysinfo info;

	if (before < 0 || sysinfo(&info) < 0)
		return judge_skip(j, "/proc/PID/oom_score");

	int64_t all = ((int64_t)info.totalram + (int64_t)info.totalswap) * info.mem_unit /
		      t->host->page_size;

	judge_score(t, j, ASK_THE_ADJUSTMENT, all, 0);
	judge_thinly(t, j, all);
	judge_score(t, j, WRITE_AND_PAGE_OUT, all, 0);
	int64_t least = judge_score(t, j, WRITE_A_SHARE_OF_ALL_MEMORY, all, 0);
	int64_t after = trial_value(t, WRITE_A_SHARE_OF_ALL_MEMORY, 0, METRIC_OOM_SCORE);

	judge_moved_least(j, WRITE_A_SHARE_OF_ALL_MEMORY, METRIC_OOM_SCORE,
			  trial_moved(t, ASK_THE_ADJUSTMENT, WRITE_A_SHARE_OF_ALL_MEMORY, 0,
				      METRIC_OOM_SCORE),
			  least - before, "oom_score rises with the written memory");
	/* Up to 4.16 the kernel lowers the score of root's processes by three percent. */
	if (trial_reported(t, ASK_THE_ADJUSTMENT, "root"))
		judge_yes_no(j, "oom_score.spares_root", after < least);
}

CASE(counters_oom_score) {
	.claim = "oom_score counts resident memory, swap and page tables: using 3% of all RAM "
		 "and swap adds 20 points (since 5.9)",
	.because = "oom_badness() adds get_mm_rss(), MM_SWAPENTS and the page tables. "
		   "proc_oom_score() scales the sum to all RAM and swap, and prints two thirds "
		   "of the result.",
	.said_by = SAID_BY("proc_pid_oom_score(5)"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP_AS(ASK_THE_ADJUSTMENT, "read the adjustment", report_adjustment),
		       STEP_AS(WRITE_SHMEM_THINLY, "write shmem, one page per table", write_thinly,
			       .checks = 1),
		       STEP_AS(WRITE_AND_PAGE_OUT, "write and page out", write_and_page_out),
		       STEP_AS(WRITE_A_SHARE_OF_ALL_MEMORY, "write a share of all memory",
			       map_and_write)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1)),
	.moves = METRICS(METRIC_OOM_SCORE),
	.facts = FACTS(FACT("oom_score.spares_root", "Is oom_score lower for processes of root?",
			    "no")),
	.judge = judge,
};
