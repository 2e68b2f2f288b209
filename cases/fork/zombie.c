// SPDX-License-Identifier: MIT
/*
 * A zombie has no memory: statm shows seven zeros, status has no Vm lines, and reading smaps_rollup
 * fails.
 */
#include <rssck/case.h>

/* Reads fields 23 (vsize) and 24 (rss) of stat, from the end of the name on. */
#define STAT_MEMORY                                      \
	") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s " \
	"%*s %*s %*s %*s %*s %*s %*s %*s %*s %ld %ld"

/* Returns the number of bytes, or -errno. */
static ssize_t read_of(pid_t pid, const char *file, char *buf, size_t size)
{
	char path[40];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	n = workload_read_text(path, buf, size);
	return n < 0 ? -errno : n;
}

static void look(struct workload *w, pid_t pid)
{
	char buf[4096];
	long vsize, rss;
	ssize_t n;

	if (read_of(pid, "statm", buf, sizeof(buf)) < 0 || strcmp(buf, "0 0 0 0 0 0 0\n") != 0)
		workload_fail(w, "statm of a zombie contains %.60s", buf);
	if (read_of(pid, "status", buf, sizeof(buf)) < 0 || !strstr(buf, "\nState:\tZ"))
		workload_die(w, "status of an ended child does not show state Z");
	if (strstr(buf, "\nVm") || strstr(buf, "\nRss"))
		workload_fail(w, "status of a zombie has Vm or Rss lines");
	n = read_of(pid, "smaps_rollup", buf, sizeof(buf));
	if (n != -ESRCH)
		workload_fail(w, "reading smaps_rollup of a zombie returned %zd, not -ESRCH", n);
	n = read_of(pid, "smaps", buf, sizeof(buf));
	if (n > 0)
		workload_fail(w, "smaps of a zombie has %zd bytes, not 0", n);
	if (read_of(pid, "stat", buf, sizeof(buf)) < 0 || !strrchr(buf, ')') ||
	    sscanf(strrchr(buf, ')'), STAT_MEMORY, &vsize, &rss) != 2)
		workload_die(w, "stat of a zombie contains %.100s", buf);
	if (vsize || rss)
		workload_fail(w, "stat of a zombie has vsize %ld, rss %ld", vsize, rss);
	workload_checked(w);
}

static void make_zombie(struct workload *w)
{
	siginfo_t info;
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	workload_must(w, pid, "fork");
	workload_must(w, waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), "waitid");
	look(w, pid);
	waitpid(pid, NULL, 0);
}

CASE(fork_zombie) {
	.claim = "A zombie counts no memory: statm shows seven zeros, status has no Vm or Rss "
		 "lines, and smaps is empty",
	.because = "exit_mm() drops the mm long before the process is reaped. statm, status and "
		   "smaps can only show an mm.",
	.said_by = SAID_BY("proc_pid_statm(5)", "proc_pid_status(5)"),
	.steps = STEPS(STEP("a child ends and is not reaped", make_zombie, .checks = 1)),
};
