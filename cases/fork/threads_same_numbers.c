// SPDX-License-Identifier: MIT
/* statm, stat and status of every thread show the memory of the whole process. */
#include <dirent.h>
#include <rssck/case.h>

/*
 * PAGES is less than a per-thread batch, so the counters may lag. The files of all threads must
 * then show the same lag.
 */
enum { PAGES = 20, THREADS = 4, REGION = 0, WATCHER = 1, VSIZE = 23, RSS = 24 };
STEP_SYMBOLS(THREADS_WRITE);

static void write_share(struct workload *w, unsigned index)
{
	touch_write(w, (char *)w->slot[REGION] + index * PAGES * w->page_size, PAGES);
}

static void start(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, THREADS * PAGES);
	workload_report(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
	workload_fork(w, WATCHER);
	workload_threads(w, THREADS, write_share);
}

static const char *numbers(struct workload *w, const char *path, char *buf, size_t size)
{
	char *end;

	if (workload_read_text(path, buf, size) <= 0)
		workload_die(w, "%s: %m", path);
	end = strstr(buf, "CoreDumping:");
	if (end)
		*end = '\0';
	end = strstr(buf, "VmPeak:");
	return end ? end : buf;
}

/* Fields 23 (vsize) and 24 (rss) are the process's; other fields may be the thread's. */
static void compare_stat(struct workload *w, const char *tid)
{
	char whole[16], own[300];

	snprintf(whole, sizeof(whole), "%d", getppid());
	snprintf(own, sizeof(own), "%s/task/%s", whole, tid);
	for (unsigned field = VSIZE; field <= RSS; field++)
		if (workload_stat(w, own, field) != workload_stat(w, whole, field))
			workload_fail(w, "field %u of /proc/%s/stat differs from the process's",
				      field, own);
}

static void compare_file(struct workload *w, const char *file)
{
	static char whole[4096], own[4096];
	char path[300], tasks[40];
	const struct dirent *entry;
	const char *expected;
	int seen = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/%s", getppid(), file);
	expected = numbers(w, path, whole, sizeof(whole));
	snprintf(tasks, sizeof(tasks), "/proc/%d/task", getppid());
	dir = opendir(tasks);
	while (dir && (entry = readdir(dir))) {
		if (atoi(entry->d_name) <= 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s/%s", tasks, entry->d_name, file);
		if (strcmp(numbers(w, path, own, sizeof(own)), expected) != 0)
			workload_fail(w, "%s differs from the process's", path);
		compare_stat(w, entry->d_name);
		workload_checked(w);
		seen++;
	}
	if (dir)
		closedir(dir);
	if (seen != 1 + THREADS)
		workload_die(w, "%s lists %d threads, not %d", tasks, seen, 1 + THREADS);
}

static void compare(struct workload *w)
{
	compare_file(w, "statm");
	compare_file(w, "status");
}

static void judge(const struct trial *t, struct judgement *j)
{
	/* The region may have merged with a thread's stack, which adds pages. */
	judge_true(j, THREADS_WRITE,
		   trial_mapping_pages(t, THREADS_WRITE, 0, THREADS_WRITE, "address",
				       METRIC_SMAPS_RSS) >= THREADS * PAGES,
		   "each thread has written its pages");
}

CASE(fork_threads_same_numbers) {
	.claim = "For every thread, statm, status, and vsize and rss in stat show the memory of "
		 "the whole process",
	.because =
		"/proc/PID/task/TID reads the mm, which all threads share. Pages that one thread has not yet added to the counters are missing from the files of all threads.",
	.said_by = SAID_BY("proc_pid_task(5)", "proc_pid_statm(5)"),
	.processes = 1,
	.flags = CASE_KEEPS_MEMORY,
	.steps = STEPS(STEP_AS(THREADS_WRITE, "threads write", start,
			       .flags = STEP_ANY_PAGES | STEP_UNSETTLED),
		       STEP("compare", compare, .process = WATCHER, .checks = 2 * (1 + THREADS),
			    .flags = STEP_ANY_PAGES | STEP_UNSETTLED),
		       STEP("threads end", step_end_threads, .flags = STEP_ANY_PAGES)),
	.judge = judge,
};
