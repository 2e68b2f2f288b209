// SPDX-License-Identifier: MIT
/*
 * docker and the kubelet subtract inactive file pages from the usage. The result, the working set,
 * is not RSS and can be smaller than RSS.
 */
#include <rssck/case.h>

enum { MEMORY = 512, FILE_PAGES = 4096, FD = 0 };
STEP_SYMBOLS(IN_A_CGROUP);

static void read_file(struct workload *w)
{
	lseek(w->fd[FD], 0, SEEK_SET);
	while (read(w->fd[FD], workload_buffer, WORKLOAD_BUFFER) > 0)
		;
}

static void look(struct workload *w, const char *when)
{
	workload_report_of(w, when, "inactive", workload_cgroup_stat(w, "inactive_file"));
	workload_report_of(w, when, "active",
			   workload_cgroup_pages(w, "memory.stat", "active_file"));
	workload_report_of(w, when, "anon", workload_cgroup_pages(w, "memory.stat", "anon"));
	workload_report_of(w, when, "current", workload_cgroup_pages(w, "memory.current", NULL));
	workload_report_of(w, when, "rss", workload_status_pages(w, "VmRSS"));
}

/* Leaves the cgroup in the same step, so that no cgroup remains if the case ends between steps. */
static void read_and_map(struct workload *w)
{
	void *p;

	w->fd[FD] = workload_file_uncached(w, FILE_PAGES);
	workload_cgroup_enter(w);
	workload_written(w, MEMORY);
	look(w, "empty");
	read_file(w);
	look(w, "read");
	p = workload_map_pages(w, FILE_PAGES, PROT_READ, MAP_SHARED, w->fd[FD]);
	touch_read(w, p, FILE_PAGES);
	look(w, "mapped");
	workload_cgroup_leave(w);
	workload_checked(w);
}

static int64_t reported(const struct trial *t, const char *name)
{
	return trial_reported(t, IN_A_CGROUP, name);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t read_in = reported(t, "read: inactive") + reported(t, "read: active") -
			  reported(t, "empty: inactive") - reported(t, "empty: active");
	int64_t working_set = reported(t, "mapped: current") - reported(t, "mapped: inactive");

	judge_within(j, IN_A_CGROUP, 0, "memory.stat inactive_file + active_file", read_in,
		     FILE_PAGES, 2 * CGROUP_BATCH,
		     "the two file lists hold the file that was read");
	judge_within(j, IN_A_CGROUP, 0, "memory.stat anon",
		     reported(t, "mapped: anon") - reported(t, "empty: anon"), 0, CGROUP_BATCH,
		     "a file adds nothing to anon, even if it is mapped");
	judge_fact(j, "working_set.of_a_file_read_once", "%s",
		   reported(t, "read: inactive") - reported(t, "empty: inactive") > FILE_PAGES / 2
			   ? "leaves it out"
			   : "counts it");
	judge_fact(j, "working_set.beside_rss_of_a_mapped_file", "%s",
		   working_set < reported(t, "mapped: rss") ? "smaller than RSS"
							    : "larger than RSS");
}

CASE(cgroup_working_set) {
	.claim =
		"The working set of Kubernetes, memory.current minus inactive_file, leaves out a file that was read once, even if the file is mapped; so it can be smaller than RSS",
	.because = "A page that is read for the first time goes to the inactive list and stays "
		   "there until it is used again. Mapping the page does not move it to the active "
		   "list, but RSS counts it.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", read_and_map, .checks = 1,
			       MOVES(VIRT_DATA(MEMORY), ANON_WRITE(MEMORY), VIRT_OTHER(FILE_PAGES),
				     FILE_READ(FILE_PAGES)))),
	.facts = FACTS(
		FACT("working_set.of_a_file_read_once",
		     "When a file is read once, the working set (memory.current minus inactive_file)",
		     "leaves it out|counts it"),
		FACT("working_set.beside_rss_of_a_mapped_file",
		     "The working set of a process that has read and mapped a file is",
		     "smaller than RSS|larger than RSS")),
	.judge = judge,
};
