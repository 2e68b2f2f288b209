// SPDX-License-Identifier: MIT
/* In memory.stat, file and file_mapped include shmem, and anon does not. */
#include <rssck/case.h>

enum { MEMORY = 384, SHMEM = 256 };
STEP_SYMBOLS(IN_A_CGROUP);

static const struct {
	const char *field;
	int64_t pages;
	const char *rule;
} claims[] = {
	{ "anon", MEMORY, "anon = the private memory that was written" },
	{ "shmem", SHMEM, "shmem = the shared memory that was written" },
	{ "file", SHMEM, "file = all page cache, including shmem" },
	{ "file_mapped", SHMEM, "file_mapped = all mapped page cache, including shmem" },
};

enum { CLAIMS = sizeof(claims) / sizeof(*claims) };

static void report(struct workload *w, const char *when)
{
	workload_cgroup_settle(w);
	for (size_t i = 0; i < CLAIMS; i++)
		workload_report_of(w, when, claims[i].field,
				   workload_cgroup_pages(w, "memory.stat", claims[i].field));
}

/* Leaves the cgroup in the same step, so that no cgroup remains if the case ends between steps. */
static void pay(struct workload *w)
{
	workload_cgroup_enter(w);
	report(w, "empty");
	workload_written(w, MEMORY);
	touch_write(w,
		    workload_map_pages(w, SHMEM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
				       -1),
		    SHMEM);
	report(w, "written");
	workload_cgroup_leave(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	for (size_t i = 0; i < CLAIMS; i++)
		judge_within(j, IN_A_CGROUP, 0, claims[i].field,
			     trial_reported_of(t, IN_A_CGROUP, "written", claims[i].field) -
				     trial_reported_of(t, IN_A_CGROUP, "empty", claims[i].field),
			     claims[i].pages, 2 * CGROUP_BATCH, claims[i].rule);
}

CASE(cgroup_classes) {
	.claim =
		"file and file_mapped in memory.stat include shmem, unlike RssFile of status; anon does not",
	.because = "file is NR_FILE_PAGES, which counts every folio of a page cache. shmem "
		   "counts only the folios of tmpfs and shared memory.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(IN_A_CGROUP, "in a cgroup", pay,
			       MOVES(VIRT_DATA(MEMORY), ANON_WRITE(MEMORY), VIRT_OTHER(SHMEM),
				     SHMEM_WRITE(SHMEM)))),
	.judge = judge,
};
