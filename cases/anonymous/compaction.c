// SPDX-License-Identifier: MIT
/*
 * Compaction moves written pages to other frames. The Rss, Pss, Private_Dirty and Anonymous of
 * their mapping must not change.
 */
#include <rssck/case.h>
#include <sys/sysinfo.h>

enum { PAGES = 2048, LOW = 0, HIGH = 1, REGIONS = 2 };
STEP_SYMBOLS(WRITE_AROUND_A_HOLE, COMPACT);

static const char *const names[REGIONS] = { "low", "high" };

/*
 * Writes the region LOW, a quarter of the free memory and the region HIGH, then frees the quarter.
 * Compaction moves pages from the low end of a zone to free frames near its high end, so it may
 * move the region with the lower frames into the freed frames.
 */
static void write_around_a_hole(struct workload *w)
{
	struct sysinfo info;
	size_t pages;
	char *between;

	workload_must(w, sysinfo(&info), "sysinfo");
	pages = info.freeram / 4 * info.mem_unit / w->page_size;
	w->slot[LOW] = workload_written(w, PAGES);
	between = workload_written(w, pages);
	w->slot[HIGH] = workload_written(w, PAGES);
	workload_unmap(w, between, pages * w->page_size);
	for (int i = 0; i < REGIONS; i++)
		workload_report(w, names[i], (int64_t)(uintptr_t)w->slot[i]);
}

static void read_frames(struct workload *w, int region, uint64_t frames[PAGES])
{
	int fd = workload_open_pagemap(w);
	off_t at = (off_t)((uintptr_t)w->slot[region] / w->page_size * sizeof(*frames));

	if (pread(fd, frames, PAGES * sizeof(*frames), at) != PAGES * sizeof(*frames))
		workload_die(w, "/proc/self/pagemap: %m");
	close(fd);
	for (size_t i = 0; i < PAGES; i++)
		frames[i] = PAGEMAP_PFN(frames[i]);
}

static void compact(struct workload *w)
{
	uint64_t before[REGIONS][PAGES], after[PAGES];
	bool moved = false;

	for (int i = 0; i < REGIONS; i++)
		read_frames(w, i, before[i]);
	workload_set(w, "/proc/sys/vm/compact_memory", "1");
	for (int i = 0; i < REGIONS; i++) {
		read_frames(w, i, after);
		moved |= memcmp(before[i], after, sizeof(after)) != 0;
	}
	if (!moved)
		workload_skip_step(w, "a free range into which compaction moves pages of the "
				      "workload");
	workload_checked(w);
}

static void look(struct workload *w)
{
	for (int i = 0; i < REGIONS; i++)
		workload_must_hold(w, w->slot[i], PAGES, true);
}

/*
 * Checks only the region's numbers: elsewhere compaction may replace zero-filled pages by the zero
 * page.
 */
static void judge_region(const struct trial *t, struct judgement *j, const char *name)
{
	static const enum metric_id same[] = { METRIC_SMAPS_RSS, METRIC_SMAPS_PSS,
					       METRIC_SMAPS_PRIVATE_DIRTY, METRIC_SMAPS_ANONYMOUS };
	static const unsigned steps[] = { WRITE_AROUND_A_HOLE, COMPACT };
	uint64_t at = (uint64_t)trial_reported(t, steps[0], name);
	const struct mapping *before = snapshot_mapping(trial_snapshot(t, steps[0], 0), at);
	const struct mapping *after = snapshot_mapping(trial_snapshot(t, steps[1], 0), at);

	for (size_t i = 0; before && after && i < sizeof(same) / sizeof(*same); i++)
		judge_equal_in(j, "kB", steps[1], metric(same[i])->name,
			       mapping_smaps(after, same[i]), mapping_smaps(before, same[i]),
			       "compaction changes no number");
	judge_true(j, steps[1], before && after, "smaps lists the region's mapping");
}

static void judge(const struct trial *t, struct judgement *j)
{
	for (int i = 0; i < REGIONS && trial_snapshot(t, COMPACT, 0); i++)
		judge_region(t, j, names[i]);
}

CASE(anonymous_compaction) {
	.claim = "Compaction moves pages to other frames and leaves a mapping's Rss, Pss, "
		 "Private_Dirty and Anonymous unchanged, unless some of its pages are zero-filled",
	.because = "Compaction migrates pages as move_pages(2) does: try_to_migrate() and "
		   "remove_migration_pte() leave the mm's counters unchanged. When compaction "
		   "splits a large folio, the folio's zero-filled pages become the zero page "
		   "(since 6.12) and RES falls.",
	.said_by = SAID_BY("Documentation/admin-guide/sysctl/vm.rst, compact_memory"),
	.needs = NEEDS("guest"),
	.flags = CASE_ONE_CPU | CASE_KEEPS_MEMORY | CASE_RECLAIMS,
	.steps = STEPS(STEP_AS(WRITE_AROUND_A_HOLE, "write around a hole", write_around_a_hole,
			       MOVES(VIRT_DATA(REGIONS *PAGES), ANON_WRITE(REGIONS *PAGES))),
		       STEP_AS(COMPACT, "compact", compact, .checks = 1, .flags = STEP_ANY_PAGES),
		       STEP("check the content", look, .checks = REGIONS)),
	.judge = judge,
};
