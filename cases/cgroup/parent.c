// SPDX-License-Identifier: MIT
/* memory.stat of a cgroup is its children's too, of those that are gone as well. */
#include <errno.h>
#include <rssck/case.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MEMORY = 384, SHMEM = 256, PATH = 128 };

static const struct {
	const char *field;
	int64_t pages;
} claims[] = { { "anon", MEMORY }, { "shmem", SHMEM }, { "file_mapped", SHMEM } };

enum { CLAIMS = sizeof(claims) / sizeof(*claims) };

static const char *path(const struct workload *w, const char *file, char of[PATH])
{
	char name[WORKLOAD_NAME];

	snprintf(of, PATH, "/sys/fs/cgroup/%s/%s", workload_name(w, name), file);
	return of;
}

/* A cgroup whose children have controllers may have no processes: back without them. */
static void leave_child(struct workload *w)
{
	char file[PATH];

	workload_try_to_set(path(w, "cgroup.subtree_control", file), "-memory");
	workload_try_to_set(path(w, "cgroup.procs", file), "0");
	rmdir(path(w, "child", file));
}

static void enter_child(struct workload *w)
{
	char file[PATH];
	int error;

	if (mkdir(path(w, "child", file), 0755) == 0 &&
	    workload_try_to_set(path(w, "child/cgroup.procs", file), "0") &&
	    workload_try_to_set(path(w, "cgroup.subtree_control", file), "+memory"))
		return;
	error = errno;
	leave_child(w);
	workload_skip(w, "a cgroup below a cgroup: %s", strerror(error));
}

static void report(struct workload *w, const char *when)
{
	int64_t page = (int64_t)w->page_size;
	char name[40], file[PATH];

	workload_cgroup_settle(w);
	for (size_t i = 0; i < CLAIMS; i++) {
		snprintf(name, sizeof(name), "%s: %s", when, claims[i].field);
		workload_report(w, name, workload_cgroup_pages(w, "memory.stat", claims[i].field));
		snprintf(name, sizeof(name), "%s: child's %s", when, claims[i].field);
		workload_report(w, name,
				workload_number(path(w, "child/memory.stat", file), claims[i].field,
						-page) /
					page);
	}
}

static void pay(struct workload *w)
{
	workload_cgroup_enter(w);
	enter_child(w);
	report(w, "empty");
	workload_written(w, MEMORY);
	touch_write(w,
		    workload_map(w, SHMEM * w->page_size, PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0),
		    SHMEM);
	report(w, "written");
	leave_child(w);
	report(w, "gone");
	workload_cgroup_leave(w);
}

static int64_t since_empty(const struct trial *t, const char *when, const char *whose,
			   const char *field)
{
	char name[40], first[40];

	snprintf(name, sizeof(name), "%s: %s%s", when, whose, field);
	snprintf(first, sizeof(first), "empty: %s%s", whose, field);
	return trial_reported(t, "below a cgroup", name, -1) -
	       trial_reported(t, "below a cgroup", first, -1);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		const char *when, *whose, *rule;
	} moments[] = {
		{ "written", "child's ", "who touches pays" },
		{ "written", "", "what a child pays for is in its parent's numbers" },
		{ "gone", "", "and stays there when the child is removed" },
	};

	for (size_t m = 0; m < sizeof(moments) / sizeof(*moments); m++)
		for (size_t i = 0; i < CLAIMS; i++)
			judge_within(
				j, "below a cgroup", 0, claims[i].field,
				since_empty(t, moments[m].when, moments[m].whose, claims[i].field),
				claims[i].pages, 2 * CGROUP_BATCH, moments[m].rule);
}

CASE(cgroup_parent) {
	.claim =
		"What a cgroup pays for is in the memory.stat of its parent, too, and stays there when the "
		"cgroup is removed while its pages live on",
	.because =
		"mem_cgroup_css_rstat_flush() adds each change to the parent's pending ones; a cgroup that "
		"is removed goes on being counted until its last page has gone, or hands its pages to its parent.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory.stat"),
	.needs = NEEDS("root", "guest"),
	.steps = STEPS(STEP("below a cgroup", pay,
			    MOVES(VIRT_DATA(MEMORY), ANON_WRITE(MEMORY), VIRT_OTHER(SHMEM),
				  SHMEM_WRITE(SHMEM)))),
	.judge = judge,
};
