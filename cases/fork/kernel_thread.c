// SPDX-License-Identifier: MIT
/* A kernel thread has no mm: statm shows seven zeros, status has no Vm lines. */
#include <dirent.h>
#include <rssck/case.h>

/* PF_KTHREAD of include/linux/sched.h: a flag in field 9 of stat */
enum { KTHREAD = 0x00200000 };

static bool read_of(const char *pid, const char *file, char *buf, size_t size)
{
	char path[280];

	snprintf(path, sizeof(path), "/proc/%s/%s", pid, file);
	return workload_read_text(path, buf, size) > 0;
}

static bool is_kernel_thread(const char *pid)
{
	char buf[1024];
	unsigned flags;

	return read_of(pid, "stat", buf, sizeof(buf)) && strrchr(buf, ')') &&
	       sscanf(strrchr(buf, ')') + 2, "%*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
	       flags & KTHREAD;
}

/* Returns false if the thread has ended. */
static bool look(struct workload *w, const char *pid)
{
	char buf[4096];

	if (!read_of(pid, "statm", buf, sizeof(buf)))
		return false;
	if (strcmp(buf, "0 0 0 0 0 0 0\n") != 0)
		workload_fail(w, "statm of kernel thread %s contains %.60s", pid, buf);
	if (!read_of(pid, "status", buf, sizeof(buf)))
		return false;
	if (strstr(buf, "\nVm") || strstr(buf, "\nRss"))
		workload_fail(w, "status of kernel thread %s has Vm or Rss lines", pid);
	if (read_of(pid, "smaps", buf, sizeof(buf)))
		workload_fail(w, "smaps of kernel thread %s contains %.60s", pid, buf);
	return true;
}

static void look_at_all(struct workload *w)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	int seen = 0;

	while (proc && (entry = readdir(proc)))
		if (atoi(entry->d_name) > 0 && is_kernel_thread(entry->d_name))
			seen += look(w, entry->d_name);
	if (proc)
		closedir(proc);
	if (!seen)
		workload_skip(w, "a kernel thread (this is a PID namespace, or /proc hides them)");
	workload_checked(w);
}

CASE(fork_kernel_thread) {
	.claim = "A kernel thread counts no memory: statm shows seven zeros, status has no Vm or "
		 "Rss lines, and smaps is empty",
	.because = "A kernel thread has no mm. It runs on the mm of the process that ran before "
		   "it (active_mm), and /proc must not show that mm as the kernel thread's.",
	.said_by = SAID_BY("proc_pid_statm(5)", "proc_pid_status(5)"),
	.steps = STEPS(STEP("look at all threads", look_at_all, .checks = 1)),
};
