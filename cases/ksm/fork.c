// SPDX-License-Identifier: MIT
/*
 * A forked child has merged pages, but its own KSM numbers should be 0, because ksmd has not
 * scanned it yet.
 */
#include "rounds.h"

enum { PAGES = 64, REGION = 0 };
STEP_SYMBOLS(MERGEABLE, ASK_CHILDREN);

static void map_and_write(struct workload *w)
{
	ksm_map_alike(w, REGION, PAGES);
}

static int ksm_stat(const char *field)
{
	return (int)workload_number("/proc/self/ksm_stat", field, -1);
}

static void merge(struct workload *w)
{
	if (ksm_stat("ksm_merging_pages") < 0)
		workload_skip(w, "ksm_merging_pages in /proc/PID/ksm_stat (Linux 6.4)");
	ksm_merge(w, w->slot[REGION], PAGES);
	workload_report(w, "rmap_items", ksm_stat("ksm_rmap_items"));
}

static int merging(const struct workload *w)
{
	(void)w;
	return ksm_stat("ksm_merging_pages");
}

static int rmap_items(const struct workload *w)
{
	(void)w;
	return ksm_stat("ksm_rmap_items");
}

/* Stops ksmd first, because ksmd could scan the child. */
static void ask_children(struct workload *w)
{
	workload_set(w, KSM "run", "0");
	workload_report(w, "merging", workload_in_child(w, merging));
	workload_report(w, "rmap_items", workload_in_child(w, rmap_items));
	workload_set(w, KSM "run", "1");
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t merging = trial_reported(t, ASK_CHILDREN, "merging");
	int64_t items = trial_reported(t, ASK_CHILDREN, "rmap_items");

	judge_reported(t, j, MERGEABLE, "rmap_items", "ksm_rmap_items", PAGES,
		       "ksmd has an rmap item for each mergeable page");
	judge_fact(j, "ksm.numbers_of_a_child_that_was_just_forked", "%s",
		   merging == 0 && items == 0           ? "zero"
		   : merging == PAGES && items == PAGES ? "its parent's"
							: "something else");
}

CASE(ksm_fork) {
	.claim =
		"ksm_merging_pages and ksm_rmap_items of /proc/PID/ksm_stat count the process's own pages; on some kernels a forked child starts with its parent's numbers",
	.because = "ksmd has a ksm_rmap_item for each page of an mm that it has scanned, and it "
		   "has not scanned a new child. dup_mm() copies the parent's numbers; since 6.18 "
		   "(also on 6.6.150, 6.12.54 and 6.17.13) ksm_fork() sets them to 0.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst",
			   "Documentation/filesystems/proc.rst, ksm_stat"),
	.needs = NEEDS("ksm", "guest"),
	.limit_s = 30,
	.steps = STEPS(STEP("write equal pages", map_and_write,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))),
		       STEP_AS(MERGEABLE, "MADV_MERGEABLE", merge,
			       MOVES(ANON_WRITE(-PAGES), MERGED(PAGES, PAGES))),
		       STEP_AS(ASK_CHILDREN, "read the numbers in children", ask_children)),
	.facts = FACTS(FACT("ksm.numbers_of_a_child_that_was_just_forked",
			    "The KSM numbers of a child right after fork are",
			    "zero|its parent's")),
	.judge = judge,
};
