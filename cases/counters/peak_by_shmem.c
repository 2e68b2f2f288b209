// SPDX-License-Identifier: MIT
/* Shared memory that is given back, in whichever way: VmHWM has seen it before. */
#include <rssck/case.h>

/* Each way is tried at a height of its own, above all that were before. */
enum { PAGES = 2048, WAYS = 3, MOST = WAYS * PAGES, REGION = 0 };

static void map(struct workload *w)
{
	w->slot[REGION] = workload_map(w, MOST * w->page_size, PROT_READ | PROT_WRITE, MAP_SHARED,
				       workload_shmem(w, MOST), 0);
}

static void write_more(struct workload *w)
{
	touch_write(w, w->slot[REGION], (size_t)w->argument);
	workload_expect(w, SHMEM_WRITE(w->argument));
}

static void punch_hole(struct workload *w)
{
	if (madvise(w->slot[REGION], MOST * w->page_size, MADV_REMOVE) < 0)
		workload_skip(w, "MADV_REMOVE: %m");
	workload_expect(w, SHMEM_WRITE(-PAGES));
}

/* They stay in the file, dirty. */
static void dont_need(struct workload *w)
{
	workload_must(w, madvise(w->slot[REGION], MOST * w->page_size, MADV_DONTNEED),
		      "MADV_DONTNEED");
	workload_expect(w, SHMEM_WRITE(-2 * PAGES));
}

static void unmap(struct workload *w)
{
	munmap(w->slot[REGION], MOST * w->page_size);
	workload_forget(w, w->slot[REGION]);
	workload_expect(w, SHMEM_WRITE(-MOST), VIRT_OTHER(-MOST));
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const char *const ways[WAYS][2] = { { "write", "punch a hole" },
						   { "write more", "MADV_DONTNEED" },
						   { "write most", "munmap" } };
	int64_t bound = model_bound(t->models, METRIC_STATUS_VMHWM, 1);
	long page = t->host->page_size;

	for (int i = 0; i < WAYS; i++)
		judge_within(
			j, ways[i][1], 0, "status.VmHWM",
			snapshot_pages(trial_snapshot(t, ways[i][1], 0), METRIC_STATUS_VMHWM, page),
			snapshot_pages(trial_snapshot(t, ways[i][0], 0), METRIC_SMAPS_RSS, page),
			bound, "VmHWM = what was resident before it was given back");
}

CASE(counters_peak_by_shmem) {
	.claim = "VmHWM has counted shared pages before a punched hole, MADV_DONTNEED and munmap "
		 "take them away, within the bound of the approximate count",
	.because = "unmap_mapping_range(), zap_page_range_single() and unmap_region() each call "
		   "update_hiwater_rss() first.",
	.said_by = SAID_BY("proc_pid_status(5), VmHWM"),
	.flags = CASE_ONE_CPU,
	.steps = STEPS(STEP("map", map, MOVES(VIRT_OTHER(MOST))),
		       STEP("write", write_more, .argument = PAGES, .flags = STEP_UNSETTLED),
		       STEP("punch a hole", punch_hole, .flags = STEP_UNSETTLED),
		       STEP("write more", write_more, .argument = 2 * PAGES,
			    .flags = STEP_UNSETTLED),
		       STEP("MADV_DONTNEED", dont_need, .flags = STEP_UNSETTLED),
		       STEP("write most", write_more, .argument = MOST, .flags = STEP_UNSETTLED),
		       STEP("munmap", unmap, .flags = STEP_UNSETTLED)),
	.posts = POSTS(SHMEM_WRITE(1)),
	.judge = judge,
};
