// SPDX-License-Identifier: MIT
/* Whichever way memory is given back, VmHWM has seen it before. */
#include <rssck/case.h>
#include <unistd.h>

/* Each way is tried at a height of its own, above all that were before. */
enum { PAGES = 2048, WAYS = 3, REGION = 0, FILE_REGION = 1, FD = 0 };

static void map(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, WAYS * PAGES);
	w->fd[FD] = workload_shmem(w, (WAYS + 1) * PAGES);
	w->slot[FILE_REGION] = workload_map(w, (WAYS + 1) * PAGES * w->page_size,
					    PROT_READ | PROT_WRITE, MAP_SHARED, w->fd[FD], 0);
}

static void write_1(struct workload *w)
{
	touch_write(w, w->slot[REGION], PAGES);
}

static void give_back(struct workload *w)
{
	madvise(w->slot[REGION], PAGES * w->page_size, MADV_DONTNEED);
}

static void write_2(struct workload *w)
{
	touch_write(w, w->slot[REGION], 2 * PAGES);
}

static void shrink(struct workload *w)
{
	if (mremap(w->slot[REGION], WAYS * PAGES * w->page_size, w->page_size, 0) == MAP_FAILED)
		workload_die(w, "mremap: %m");
}

static void write_3(struct workload *w)
{
	touch_write(w, w->slot[FILE_REGION], WAYS * PAGES);
}

static void truncate_file(struct workload *w)
{
	workload_must(w, ftruncate(w->fd[FD], 0), "ftruncate");
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char *const ways[][2] = { { "write", "MADV_DONTNEED" },
					       { "write more", "mremap, shrinking" },
					       { "write most", "ftruncate" } };
	int64_t bound = model_bound(t->models, METRIC_STATUS_VMHWM, 1);
	long page = t->host->page_size;

	for (int i = 0; i < WAYS; i++) {
		int64_t peak = snapshot_pages(trial_snapshot(t, ways[i][0], 0), METRIC_SMAPS_RSS,
					      page);

		judge_within(
			j, ways[i][1], 0, "status.VmHWM",
			snapshot_pages(trial_snapshot(t, ways[i][1], 0), METRIC_STATUS_VMHWM, page),
			peak, bound, "VmHWM = what was resident before it was given back");
	}
}

CASE(counters_peak_by) {
	.claim = "VmHWM has counted pages before MADV_DONTNEED, mremap and ftruncate take them "
		 "away, within the bound of the approximate count",
	.because = "Each of them calls update_hiwater_rss() before it unmaps.",
	.said_by = SAID_BY("proc_pid_status(5), VmHWM"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(
		STEP("map", map, MOVES(VIRT_DATA(WAYS *PAGES), VIRT_OTHER((WAYS + 1) * PAGES))),
		STEP("write", write_1, .flags = STEP_UNSETTLED, MOVES(ANON_WRITE(PAGES))),
		STEP("MADV_DONTNEED", give_back, .flags = STEP_UNSETTLED,
		     MOVES(ANON_WRITE(-PAGES))),
		STEP("write more", write_2, .flags = STEP_UNSETTLED, MOVES(ANON_WRITE(2 * PAGES))),
		STEP("mremap, shrinking", shrink, .flags = STEP_UNSETTLED,
		     MOVES(ANON_WRITE(-2 * PAGES + 1), VIRT_DATA(-WAYS *PAGES + 1))),
		STEP("write most", write_3, .flags = STEP_UNSETTLED,
		     MOVES(SHMEM_WRITE(WAYS *PAGES))),
		STEP("ftruncate", truncate_file, .flags = STEP_UNSETTLED,
		     MOVES(SHMEM_WRITE(-WAYS *PAGES)))),
	.judge = judge,
};
