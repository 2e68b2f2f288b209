// SPDX-License-Identifier: MIT
/*
 * Checks which cgroup is charged for a hugetlb page that a process allocates in another process's
 * memory, by writing /proc/PID/mem or by UFFDIO_COPY.
 */
#include "pages.h"

enum {
	WRITTEN = 0,
	COPIED = 1,
	SOURCE = 2,
	UFFD = 0,
	OTHER = 1,
	PATH = 128,
	DONE = 0,
	REFUSED = 1,
	FORBIDDEN = 2 /* access to another process's memory */
};
STEP_SYMBOLS(BY_ANOTHER);

static const char *path(const struct workload *w, const char *file, char of[PATH])
{
	char name[WORKLOAD_NAME];

	snprintf(of, PATH, "/sys/fs/cgroup/%s-other%s", workload_name(w, name), file);
	return of;
}

static bool enter_other(const struct workload *w)
{
	return write(w->fd[OTHER], "0", 1) == 1;
}

static int write_page(const struct workload *w)
{
	char file[PATH];
	int fd;

	if (!enter_other(w))
		return REFUSED;
	snprintf(file, sizeof(file), "/proc/%d/mem", getppid());
	fd = open(file, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return errno == EACCES ? FORBIDDEN : REFUSED;
	return pwrite(fd, "x", 1, (off_t)(uintptr_t)w->slot[WRITTEN]) == 1 ? DONE : REFUSED;
}

static int copy_page(const struct workload *w)
{
	struct uffdio_copy c = { .dst = (uintptr_t)w->slot[COPIED],
				 .src = (uintptr_t)w->slot[SOURCE],
				 .len = (uint64_t)w->number[BYTES] };

	return enter_other(w) && ioctl(w->fd[UFFD], UFFDIO_COPY, &c) == 0 ? DONE : REFUSED;
}

static int64_t charged_to_other(const struct workload *w)
{
	char file[PATH];

	return workload_number(path(w, "/memory.current", file), NULL, 0) / (int64_t)w->page_size;
}

static void report(struct workload *w, int (*provide)(const struct workload *w), const char *how)
{
	int64_t own = workload_cgroup_pages(w, "memory.current", NULL);
	int64_t other = charged_to_other(w);

	workload_report(w, how, workload_in_child(w, provide));
	workload_report_of(w, how, "own", workload_cgroup_pages(w, "memory.current", NULL) - own);
	workload_report_of(w, how, "other", charged_to_other(w) - other);
}

static void provide(struct workload *w)
{
	size_t bytes = workload_hugetlb_bytes();
	char *p, file[PATH];

	if (bytes <= 2 * CGROUP_BATCH * w->page_size)
		workload_skip(
			w,
			"a hugetlb page of more than %d small pages, because a CPU may charge %d small pages in advance",
			2 * CGROUP_BATCH, CGROUP_BATCH);
	w->number[BYTES] = (int64_t)bytes;
	p = workload_hugetlb_map(w, 2 * bytes, -1);
	w->slot[WRITTEN] = p;
	w->slot[COPIED] = p + bytes;
	w->slot[SOURCE] = workload_map(w, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[COPIED], bytes, UFFDIO_REGISTER_MODE_MISSING,
					   0);
	workload_cgroup_enter(w);
	if (!charge_hugetlb(true)) {
		workload_cgroup_leave(w);
		workload_skip(w, "cgroup2 with memory_hugetlb_accounting (Linux 6.7)");
	}
	mkdir(path(w, "", file), 0755);
	w->fd[OTHER] = workload_open(w, path(w, "/cgroup.procs", file), O_WRONLY);
	report(w, write_page, "written");
	report(w, copy_page, "copied");
	workload_unmap(w, p, 2 * bytes);
	workload_unmap(w, w->slot[SOURCE], bytes);
	charge_hugetlb(false);
	rmdir(path(w, "", file));
	workload_cgroup_leave(w);
	workload_report(w, "pages", pages(w));
}

/*
 * A hugetlb page is charged at its full size. Whatever else the two processes do is charged less
 * than half of that.
 */
static void judge_charge(const struct trial *t, struct judgement *j, const char *how,
			 const char *fact)
{
	int64_t pages = trial_reported(t, BY_ANOTHER, "pages"), own, other;

	judge_reported_in(t, j, "", BY_ANOTHER, how, "exit status of the other process", DONE,
			  "the other process can provide the page");
	if (trial_reported(t, BY_ANOTHER, how) != DONE)
		return;
	own = trial_reported_of(t, BY_ANOTHER, how, "own");
	other = trial_reported_of(t, BY_ANOTHER, how, "other");
	judge_within(j, BY_ANOTHER, 0, "memory.current of both cgroups", own + other, pages,
		     pages / 2, "one of the two cgroups is charged for the page");
	judge_fact(j, fact, "%s", own > other ? "its owner" : "the other process");
}

static void judge(const struct trial *t, struct judgement *j)
{
	if (trial_reported(t, BY_ANOTHER, "written") == FORBIDDEN)
		return judge_skip(
			j,
			"permission to write /proc/PID/mem of another process (kernel.yama.ptrace_scope)");
	judge_charge(t, j, "written", "hugetlb.written_by_proc_mem_is_charged_to");
	judge_charge(t, j, "copied", "hugetlb.copied_by_userfaultfd_is_charged_to");
}

CASE(hugetlb_provided) {
	.claim =
		"With memory_hugetlb_accounting, a hugetlb page that one process allocates in another's memory (by UFFDIO_COPY or /proc/PID/mem) should be charged to the cgroup of the process that maps the page; before 7.3.4 and 6.12.118 the allocating process's cgroup is charged",
	.because = "alloc_hugetlb_folio() charges the cgroup of the current process. Since 7.3.4 "
		   "and 6.12.118 it charges the cgroup of the mapping's process.",
	.said_by = SAID_BY("Documentation/admin-guide/cgroup-v2.rst, memory_hugetlb_accounting"),
	.needs = NEEDS("hugetlb", "guest"),
	.steps = STEPS(STEP_AS(BY_ANOTHER, "by a child in another cgroup", provide)),
	.facts = FACTS(FACT("hugetlb.written_by_proc_mem_is_charged_to",
			    "A hugetlb page that another process writes by /proc/PID/mem is "
			    "charged to the cgroup of",
			    "its owner|the other process"),
		       FACT("hugetlb.copied_by_userfaultfd_is_charged_to",
			    "A hugetlb page that another process provides by UFFDIO_COPY is "
			    "charged to the cgroup of",
			    "its owner|the other process")),
	.judge = judge,
};
