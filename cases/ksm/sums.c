// SPDX-License-Identifier: MIT
/*
 * pages_shared + pages_sharing of the machine is the sum of ksm_merging_pages of all processes.
 */
#include "rounds.h"
#include <dirent.h>

/* Two processes have PAGES pages each. Both have the same CONTENTS contents, each in many pages. */
enum { PAGES = 64, CONTENTS = 4, HALF = PAGES / 2, REGION = 0 };
enum { SHARED_BEFORE, OTHERS_BEFORE, LEFT_BEFORE, COMPANION };
STEP_SYMBOLS(MERGE, WRITE_HALF, EXIT, UNMAP);

static int64_t merged_of(const char *pid)
{
	char path[300];

	snprintf(path, sizeof(path), "/proc/%s/ksm_merging_pages", pid);
	return workload_number(path, NULL, 0);
}

static int64_t merged_of_each(struct workload *w)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	int64_t sum = 0;

	if (!d)
		workload_die(w, "/proc: %m");
	while ((e = readdir(d)))
		if (*e->d_name >= '1' && *e->d_name <= '9')
			sum += merged_of(e->d_name);
	closedir(d);
	return sum;
}

static int64_t shared(struct workload *w)
{
	return ksm_number(w, KSM "pages_shared", NULL);
}

/* Returns 0 if the numbers are right and /proc hides no process. */
static int64_t left_over(struct workload *w)
{
	return ksm_merged_of_all(w) - merged_of_each(w);
}

static int64_t merged_of_others(struct workload *w)
{
	char companion[24];
	int64_t own = merged_of("self");

	snprintf(companion, sizeof(companion), "%d", (int)w->number[COMPANION]);
	return merged_of_each(w) - own - (w->number[COMPANION] ? merged_of(companion) : 0);
}

/* Waits up to ten seconds for the numbers to be right, then reports them. */
static void report(struct workload *w, int64_t contents)
{
	struct patience p = { .seconds = PATIENCE_S, .pause_us = 20000 };
	int64_t left, more;

	do {
		left = left_over(w) - w->number[LEFT_BEFORE];
		more = shared(w) - w->number[SHARED_BEFORE];
	} while ((left || more != contents) && workload_pause(&p));
	if ((left || more != contents) && merged_of_others(w) != w->number[OTHERS_BEFORE])
		workload_skip(w, "a machine on which no other process merges pages");
	workload_report(w, "left over", left);
	workload_report(w, "shared", more);
}

static int64_t merge(const struct workload *w)
{
	struct patience p = { .seconds = PATIENCE_S };
	char *region = w->slot[REGION];

	for (int i = 0; i < PAGES; i++)
		snprintf(region + (size_t)i * w->page_size, 64, "content %d of %p", i % CONTENTS,
			 w->slot[REGION]);
	if (madvise(region, PAGES * w->page_size, MADV_MERGEABLE) < 0)
		return -errno;
	while (workload_number("/proc/self/ksm_merging_pages", NULL, 0) != PAGES)
		if (!workload_pause(&p))
			return -ETIME;
	return PAGES;
}

static void merge_in_two(struct workload *w)
{
	int64_t pages;

	ksm_number(w, "/proc/self/ksm_merging_pages", NULL);
	ksm_needs_sharing(w, (size_t)2 * PAGES / CONTENTS);
	w->slot[REGION] = workload_anonymous(w, PAGES);
	w->number[LEFT_BEFORE] = left_over(w);
	w->number[SHARED_BEFORE] = shared(w);
	w->number[OTHERS_BEFORE] = merged_of_others(w);
	w->number[COMPANION] = workload_companion(w, merge, &pages);
	if (pages == PAGES)
		pages = merge(w);
	if (pages != PAGES)
		workload_skip(w, "a ksmd that merges %d pages: %s", PAGES, strerror((int)-pages));
	report(w, CONTENTS);
}

static void write_half(struct workload *w)
{
	ksm_write_apart(w, w->slot[REGION], HALF);
	ksm_wait_for_rounds(w);
	report(w, CONTENTS);
}

static void companion_exits(struct workload *w)
{
	workload_companion_ends((pid_t)w->number[COMPANION]);
	w->number[COMPANION] = 0;
	report(w, CONTENTS);
}

static void unmap(struct workload *w)
{
	workload_unmap(w, w->slot[REGION], PAGES * w->page_size);
	report(w, 0);
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct {
		unsigned step;
		int64_t contents;
	} rows[] = {
		{ MERGE, CONTENTS }, { WRITE_HALF, CONTENTS }, { EXIT, CONTENTS }, { UNMAP, 0 }
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		judge_reported(
			t, j, rows[i].step, "left over",
			"pages_shared + _sharing - ksm_merging_pages", 0,
			"pages_shared + pages_sharing = the sum of ksm_merging_pages of all processes");
		judge_reported(
			t, j, rows[i].step, "shared", "pages_shared", rows[i].contents,
			"pages_shared counts each different content once (up to max_page_sharing "
			"pages of it)");
	}
}

CASE(ksm_sums) {
	.claim =
		"pages_shared plus pages_sharing is the sum of ksm_merging_pages of all processes; pages_shared counts each content once, unless more than max_page_sharing pages have it",
	.because = "stable_tree_append() adds each merged page to pages_shared or pages_sharing "
		   "and to ksm_merging_pages; remove_rmap_item_from_tree() and "
		   "remove_node_from_stable_tree() subtract it.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst, pages_shared"),
	.needs = NEEDS("ksm"),
	.limit_s = 60,
	.steps = STEPS(STEP_AS(MERGE, "merge the pages of two processes", merge_in_two,
			       .flags = STEP_ANY_PAGES),
		       STEP_AS(WRITE_HALF, "write half", write_half, .flags = STEP_ANY_PAGES),
		       STEP_AS(EXIT, "the other process exits", companion_exits,
			       .flags = STEP_ANY_PAGES),
		       STEP_AS(UNMAP, "munmap", unmap, .flags = STEP_ANY_PAGES)),
	.judge = judge,
};
