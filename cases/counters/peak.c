// SPDX-License-Identifier: MIT
/* VmHWM and ru_maxrss are peaks of the approximate count: they can miss the peak, and VmHWM can fall. */
#include <errno.h>
#include <fcntl.h>
#include <rssck/case.h>
#include <rssck/judge.h>
#include <rssck/workload.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* LAST is fewer than any batch, so that a counter that lags does not show it. */
enum { PAGES = 4096, LAST = 20, REGION = 0 };

static void write_most(struct workload *w)
{
	w->slot[REGION] = workload_map(w, (PAGES + LAST) * w->page_size, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch_write(w, w->slot[REGION], PAGES);
}

static void write_last(struct workload *w)
{
	touch_write(w, (char *)w->slot[REGION] + PAGES * w->page_size, LAST);
}

static void unmap(struct workload *w)
{
	munmap(w->slot[REGION], (PAGES + LAST) * w->page_size);
	workload_forget(w, w->slot[REGION]);
}

static void settle_only(struct workload *w)
{
	(void)w;
}

static void reset(struct workload *w)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "5", 1) != 1)
		workload_skip_step(w, "clear_refs: %s", strerror(errno));
	close(fd);
}

static void judge(const struct trial *t, struct judgement *j)
{
	long page = t->host->page_size;
	const struct snapshot *top = trial_snapshot(t, "write the last", 0);
	int64_t peak = snapshot_pages(top, METRIC_SMAPS_RSS, page);
	int64_t at_top = snapshot_pages(top, METRIC_STATUS_VMHWM, page);
	int64_t after =
		snapshot_pages(trial_snapshot(t, "unmap", 0), METRIC_STATUS_VMHWM, page);
	int64_t bound = model_bound(t->models, METRIC_STAT_RSS, 1);
	const struct snapshot *clear = trial_snapshot(t, "clear_refs 5", 0);

	judge_within(j, "unmap", "status.VmHWM", after, peak, bound,
		     "VmHWM = the most that was resident, within the bound of the approximate count");
	judge_fact(j, "peak.VmHWM_after_unmap", "%s", after == peak ? "the peak" : "below the peak");
	judge_fact(j, "peak.VmHWM_falls_without_reset", "%s", after < at_top ? "yes" : "no");
	judge_true(j, "exit", t->maxrss_kb * 1024 / page >= peak - bound,
		   "ru_maxrss is no further below the peak than the approximate count can be");
	if (clear)
		judge_equal(j, "clear_refs 5", "status.VmHWM",
			    snapshot_pages(clear, METRIC_STATUS_VMHWM, page),
			    snapshot_pages(clear, METRIC_STATUS_VMRSS, page),
			    "clear_refs 5 resets VmHWM to what is resident now");
}

CASE(counters_peak) {
	.claim = "VmHWM and ru_maxrss are made from the approximate count: the peak may be missed by its lag",
	.because = "update_hiwater_rss() stores get_mm_rss() when memory is about to be given back; task_mem() "
		   "prints the larger of that and the count now. So what was printed at the peak can be "
		   "more than what is printed after it.",
	.said_by = SAID_BY("proc_pid_status(5): 'Peak resident set size'", "getrusage(2)"),
	.steps = STEPS(STEP("write most", write_most, VIRT_DATA(PAGES + LAST), ANON_WRITE(PAGES)),
		       STEP_FLAGS(STEP_UNSETTLED, "write the last", write_last, ANON_WRITE(LAST)),
		       STEP_FLAGS(STEP_UNSETTLED, "unmap", unmap, VIRT_DATA(-(PAGES + LAST)),
				  ANON_WRITE(-(PAGES + LAST))),
		       STEP("settle", settle_only),
		       STEP_FLAGS(STEP_UNSETTLED, "clear_refs 5", reset)),
	.facts = FACTS(FACT("peak.VmHWM_after_unmap", "the peak|below the peak"),
		       FACT("peak.VmHWM_falls_without_reset", "yes|no")),
	.judge = judge,
};
