// SPDX-License-Identifier: MIT
/* Two processes that share one mm (CLONE_VM, as in vfork) show the same numbers, each in full. */
#include <rssck/case.h>
#include <sched.h>

enum { PAGES = 256, REGION = 0, TWIN = 0, WATCHER = 1, STACK_BYTES = 64 << 10 };

static int stand_still(void *arg)
{
	(void)arg;
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	for (;;)
		pause();
	return 0;
}

/* Writes the twin's stack first, so that the twin takes no page fault there. */
static void start_twin(struct workload *w)
{
	size_t pages = STACK_BYTES / w->page_size;
	char *stack = workload_map(w, STACK_BYTES, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	touch_write(w, stack, pages);
	workload_expect(w, VIRT_DATA((int64_t)pages), ANON_WRITE((int64_t)pages));
	w->slot[REGION] = workload_anonymous(w, PAGES);
	w->number[TWIN] = clone(stand_still, stack + STACK_BYTES, CLONE_VM | SIGCHLD, NULL);
	workload_must(w, w->number[TWIN], "clone");
}

static void read_of(struct workload *w, int64_t pid, const char *file, char *buf, size_t size)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	if (workload_read_text(path, buf, size) <= 0)
		workload_die(w, "%s: %m", path);
}

/*
 * Compares each file from the word `from` to the word `to`. In status these are the lines from
 * VmPeak to the one before CoreDumping.
 */
static void compare(struct workload *w)
{
	static const struct {
		const char *file, *from, *to;
	} files[] = { { "statm", "", "\n" },
		      { "status", "VmPeak:", "CoreDumping:" },
		      { "smaps_rollup", "Rss:", "" } };
	static char of[2][4096];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		const char *start[2];
		int64_t pids[] = { getppid(), w->number[TWIN] };

		for (int k = 0; k < 2; k++) {
			read_of(w, pids[k], files[i].file, of[k], sizeof(of[k]));
			start[k] = strstr(of[k], files[i].from);
			if (!start[k])
				workload_die(w, "%s has no %s", files[i].file, files[i].from);
			if (*files[i].to && strstr(of[k], files[i].to))
				*strstr(of[k], files[i].to) = '\0';
		}
		if (strcmp(start[0], start[1]) != 0)
			workload_fail(w, "%s differs between two processes that share one mm",
				      files[i].file);
		workload_checked(w);
	}
}

static void end_twin(struct workload *w)
{
	kill((pid_t)w->number[TWIN], SIGKILL);
	if (waitpid((pid_t)w->number[TWIN], NULL, 0) == (pid_t)w->number[TWIN])
		workload_checked(w);
}

CASE(fork_clone_vm) {
	.claim = "Processes that share an mm each show its full numbers; sharing an mm does not "
		 "make pages 'shared'",
	.because = "The processes share one set of page tables and counters, so each page is "
		   "mapped once. It is private, and the Pss of each process counts it in full. A "
		   "sum over the processes counts it once per process.",
	.said_by = SAID_BY("clone(2), CLONE_VM", "vfork(2)"),
	.processes = 1,
	.steps = STEPS(
		STEP("start a process that shares the mm", start_twin, MOVES(VIRT_DATA(PAGES))),
		STEP("fork", step_fork, .child = WATCHER, .flags = STEP_ANY_PAGES),
		STEP("compare", compare, .process = WATCHER, .checks = 3),
		STEP("write", step_write, .pages = PAGES, MOVES(ANON_WRITE(PAGES))),
		STEP("compare again", compare, .process = WATCHER, .checks = 3),
		STEP("that process ends", end_twin, .checks = 1),
		STEP("the child ends", step_reap, .child = WATCHER, .flags = STEP_ANY_PAGES)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1)),
};
