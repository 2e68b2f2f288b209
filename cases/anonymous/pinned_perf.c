// SPDX-License-Identifier: MIT
/*
 * VmPin counts a perf ring's pages beyond the user's allowance, even if the allowance was just
 * lowered.
 */
#include <linux/perf_event.h>
#include <rssck/case.h>

/* A ring has one metadata page and a power of two of data pages. */
enum { PAGES = 9, RINGS = 2 };
STEP_SYMBOLS(MAP_TWO_RINGS);

#define ALLOWANCE "/proc/sys/kernel/perf_event_mlock_kb"

static int64_t allowance(struct workload *w)
{
	int64_t kb = workload_number(ALLOWANCE, NULL, INT64_MIN);

	if (kb == INT64_MIN)
		workload_skip(w, "perf events (" ALLOWANCE ")");
	return kb;
}

static int ring(const struct workload *w, void **p)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY,
					.size = sizeof(attr) };
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	*p = fd < 0 ? MAP_FAILED
		    : mmap(NULL, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return fd;
}

/*
 * perf_event_mlock_kb covers the first ring and is 0 for the second. The setting applies to the
 * whole machine, so it is restored before the case may be skipped.
 */
static void map_two(struct workload *w)
{
	int64_t kb = allowance(w), before = workload_status_pages(w, "VmPin"), pinned[RINGS];
	int64_t enough = PAGES * (int64_t)w->page_size / 1024;
	void *p[RINGS];
	int fd[RINGS];

	for (int i = 0; i < RINGS; i++) {
		workload_set_number(w, ALLOWANCE, i ? 0 : kb < enough ? enough : kb);
		fd[i] = ring(w, &p[i]);
		pinned[i] = workload_status_pages(w, "VmPin") - before;
	}
	workload_set_number(w, ALLOWANCE, kb);
	for (int i = 0; i < RINGS; i++) {
		if (p[i] == MAP_FAILED)
			workload_skip(w, "perf_event_open(2) and its ring");
		munmap(p[i], PAGES * w->page_size);
		close(fd[i]);
	}
	workload_report(w, "within", pinned[0]);
	workload_report(w, "beyond", pinned[1] - pinned[0]);
	workload_report(w, "unmapped", workload_status_pages(w, "VmPin") - before);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_reported(t, j, MAP_TWO_RINGS, "within", "status.VmPin", 0,
		       "VmPin does not count a ring within the allowance");
	judge_reported(
		t, j, MAP_TWO_RINGS, "beyond", "status.VmPin, second ring", PAGES,
		"VmPin counts all pages of a ring beyond the allowance, and none of the earlier ring");
	judge_reported(t, j, MAP_TWO_RINGS, "unmapped", "status.VmPin, unmapped", 0,
		       "VmPin is 0 after both rings are unmapped");
}

CASE(anonymous_pinned_perf) {
	.claim =
		"VmPin counts the pages of a perf ring that exceed the user's allowance (perf_event_mlock_kb); lowering the allowance does not add rings that are already mapped",
	.because = "perf_mmap() counts pages for the user up to the allowance, and adds the rest "
		   "to pinned_vm. The rest does not include pages that the user mapped before.",
	.said_by = SAID_BY("Documentation/admin-guide/sysctl/kernel.rst, perf_event_mlock_kb"),
	.needs = NEEDS("guest"),
	.steps = STEPS(STEP_AS(MAP_TWO_RINGS, "map two rings", map_two)),
	.judge = judge,
};
