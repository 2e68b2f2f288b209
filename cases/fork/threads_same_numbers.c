// SPDX-License-Identifier: MIT
/* Every thread's statm, stat and status show the numbers of the whole process. */
#include <dirent.h>
#include <rssck/case.h>

/*
 * Fewer than any batch in each thread: pages that one thread holds back must be missing from the
 * files of all threads.
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

/* All of statm; the lines about memory of status. */
static const char *numbers(struct workload *w, const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);
	char *end;

	if (n <= 0)
		workload_die(w, "%s: %m", path);
	close(fd);
	buf[n] = '\0';
	end = strstr(buf, "CoreDumping:");
	if (end)
		*end = '\0';
	end = strstr(buf, "VmPeak:");
	return end ? end : buf;
}

/* From stat: the address space and the RSS. The other fields are the thread's own. */
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
		workload_die(w, "%d threads in %s", seen, tasks);
}

static void compare(struct workload *w)
{
	compare_file(w, "statm");
	compare_file(w, "status");
}

static void judge(const struct trial *t, struct judgement *j)
{
	/* A thread's stack may have merged with it. */
	judge_true(j, THREADS_WRITE,
		   trial_mapping_pages(t, THREADS_WRITE, 0, THREADS_WRITE, "address",
				       METRIC_SMAPS_RSS) >= THREADS * PAGES,
		   "each thread has written its own pages");
}

CASE(fork_threads_same_numbers) {
	.claim = "Every thread of a process shows the same memory in its statm, stat and status: "
		 "that of the process",
	.because = "/proc/PID/task/TID reads the mm, which all threads share. What a thread still "
		   "holds back is missing from all of them alike.",
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
