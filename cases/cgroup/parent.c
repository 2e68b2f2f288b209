// SPDX-License-Identifier: MIT
/* memory.stat of a cgroup includes the memory of its child cgroups, even of removed ones. */
#include <rssck/case.h>

enum { MEMORY = 384, SHMEM = 256 };
STEP_SYMBOLS(BELOW_A_CGROUP);

static const struct {
	const char *field;
	int64_t pages;
} claims[] = { { "anon", MEMORY }, { "shmem", SHMEM }, { "file_mapped", SHMEM } };
enum { CLAIMS = sizeof(claims) / sizeof(*claims) };

/*
 * A cgroup that has enabled a controller for its children cannot have processes, so the controller
 * is disabled first.
 */
static void leave_child(struct workload *w)
{
	workload_cgroup_write(w, "cgroup.subtree_control", "-memory");
	workload_cgroup_write(w, "cgroup.procs", "0");
	workload_cgroup_remove(w, "child");
}

static void enter_child(struct workload *w)
{
	int error;

	if (workload_cgroup_make(w, "child") &&
	    workload_cgroup_write(w, "child/cgroup.procs", "0") &&
	    workload_cgroup_write(w, "cgroup.subtree_control", "+memory"))
		return;
	error = errno;
	leave_child(w);
	workload_skip(w, "a cgroup inside a cgroup: %s", strerror(error));
}

/*
 * Returns the sum over all nodes of a line such as "shmem N0=4096 N1=0", in pages. A kernel without
 * NUMA has no memory.numa_stat; then memory.stat is read.
 */
static int64_t on_nodes(struct workload *w, const char *field)
{
	char line[512], file[WORKLOAD_CGROUP_PATH];
	size_t len = strlen(field);
	FILE *f = fopen(workload_cgroup_path(w, "memory.numa_stat", file), "re");
	int64_t sum = 0;

	if (!f)
		return workload_cgroup_pages(w, "memory.stat", field);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, field, len) && line[len] == ' ')
			for (const char *at = line; (at = strchr(at, '=')); at++)
				sum += strtoll(at + 1, NULL, 10) / (int64_t)w->page_size;
	fclose(f);
	return sum;
}

static void report_one(struct workload *w, const char *when, const char *whose, const char *field,
		       int64_t pages)
{
	char name[40];

	snprintf(name, sizeof(name), "%s: %s%s", when, whose, field);
	workload_report(w, name, pages);
}

static void report(struct workload *w, const char *when, bool child)
{
	int64_t page = (int64_t)w->page_size;
	char file[WORKLOAD_CGROUP_PATH];

	workload_cgroup_settle(w);
	for (size_t i = 0; i < CLAIMS; i++) {
		const char *field = claims[i].field;

		report_one(w, when, "", field, workload_cgroup_pages(w, "memory.stat", field));
		report_one(w, when, "nodes' ", field, on_nodes(w, field));
		if (!child)
			continue;
		workload_cgroup_path(w, "child/memory.stat", file);
		report_one(w, when, "child's ", field, workload_number(file, field, -page) / page);
	}
}

static void pay(struct workload *w)
{
	workload_cgroup_enter(w);
	enter_child(w);
	report(w, "empty", true);
	workload_written(w, MEMORY);
	touch_write(w,
		    workload_map_pages(w, SHMEM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				       -1),
		    SHMEM);
	report(w, "written", true);
	leave_child(w);
	report(w, "gone", false);
	workload_cgroup_leave(w);
}

static int64_t reported(const struct trial *t, const char *when, const char *whose,
			const char *field)
{
	char name[40];

	snprintf(name, sizeof(name), "%s: %s%s", when, whose, field);
	return trial_reported(t, BELOW_A_CGROUP, name);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		const char *when, *whose, *rule;
	} moments[] = {
		{ "written", "child's ", "the child is charged for the memory that it touches" },
		{ "written", "", "the parent's memory.stat includes the child's memory" },
		{ "written", "nodes' ",
		  "the parent's memory.numa_stat includes the child's memory" },
		{ "gone", "", "the parent's memory.stat includes the memory of a removed child" },
		{ "gone", "nodes' ",
		  "the parent's memory.numa_stat includes the memory of a removed child" },
	};

	for (size_t m = 0; m < sizeof(moments) / sizeof(*moments); m++)
		for (size_t i = 0; i < CLAIMS; i++)
			judge_within(
				j, BELOW_A_CGROUP, 0, claims[i].field,
				reported(t, moments[m].when, moments[m].whose, claims[i].field) -
					reported(t, "empty", moments[m].whose, claims[i].field),
				claims[i].pages, 2 * CGROUP_BATCH, moments[m].rule);
}

CASE(cgroup_parent) {
	.claim = "memory.stat and memory.numa_stat of a parent cgroup include its child's "
		 "memory, even after the child is removed",
	.because = "mem_cgroup_css_rstat_flush() adds each change of a cgroup to its parent. When "
		   "the cgroup is removed, its numbers stay in the parent's sum, or its pages move "
		   "to the parent.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root", "guest"),
	.steps = STEPS(STEP_AS(BELOW_A_CGROUP, "below a cgroup", pay,
			       MOVES(VIRT_DATA(MEMORY), ANON_WRITE(MEMORY), VIRT_OTHER(SHMEM),
				     SHMEM_WRITE(SHMEM)))),
	.judge = judge,
};
