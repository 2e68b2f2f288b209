// SPDX-License-Identifier: MIT
/*
 * churn() allocates, moves, splits, locks, pages out, reads back and partly frees memory of many
 * kinds. A counter that misses one of these steps is wrong afterwards. churn_audit() runs rssck to
 * check all lines.
 */
#ifndef CASES_MACHINE_CHURN_H
#define CASES_MACHINE_CHURN_H

#include "range_acts.h"

enum {
	CHURN_PAGES = 1024,
	CHURN_LOCKED = CHURN_PAGES / 2,
	CHURN_MIGRATED = CHURN_PAGES / 8,
	CHURN_CHILDREN = 8,
	CHURN_FILE = 0, /* w->fd: a file of CHURN_PAGES that are not in the page cache; -1: none */
	CHURN_HUGE = 4, /* huge pages */
};

static inline char *churn_map(const struct workload *w, size_t pages, int flags, int fd)
{
	return workload_try_map(pages * w->page_size, PROT_READ | PROT_WRITE, flags, fd);
}

static inline void churn_write(const struct workload *w, char *p, size_t pages)
{
	for (size_t i = 0; p && i < pages; i++)
		p[i * w->page_size]++;
}

/* Pages out if there is swap, and brings the first half back by writing to it. */
static inline void churn_page_out(const struct workload *w, char *p, size_t pages)
{
	madvise(p, pages * w->page_size, MADV_PAGEOUT);
	churn_write(w, p, pages / 2);
}

static inline void churn_anon(const struct workload *w)
{
	size_t bytes = CHURN_PAGES * w->page_size;
	char *p = churn_map(w, CHURN_PAGES, MAP_PRIVATE, -1);
	pid_t pid;

	if (!p)
		return;
	madvise(p, bytes, MADV_NOHUGEPAGE);
	churn_write(w, p, CHURN_PAGES);
	mlock(p, bytes);
	munlock(p, bytes / 2);
	/* move_pages(2) first drains the LRU batches of all CPUs. */
	migrate_there_and_back(w, p, CHURN_MIGRATED);
	pid = fork();
	if (pid == 0) {
		churn_write(w, p, CHURN_PAGES / 2);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	p = churn_map(w, CHURN_PAGES, MAP_PRIVATE, -1);
	if (!p)
		return;
	churn_write(w, p, CHURN_PAGES);
	churn_page_out(w, p, CHURN_PAGES);
	madvise(p, bytes / 4, MADV_FREE);
	madvise(p, bytes / 8, MADV_DONTNEED);
}

/*
 * Brings back the page before the new end by writing to it, then truncates. If the new end is
 * inside a huge page on swap, ftruncate() never returns on some kernels (finding 50).
 */
static inline void churn_shmem(const struct workload *w)
{
	int fd = memfd_create("churn", MFD_CLOEXEC);
	size_t left = CHURN_PAGES / 4 * 3;
	char *p;

	if (fd < 0 || ftruncate(fd, CHURN_PAGES * (off_t)w->page_size))
		return;
	p = churn_map(w, CHURN_PAGES, MAP_SHARED, fd);
	if (!p)
		return;
	churn_write(w, p, CHURN_PAGES);
	churn_page_out(w, p, CHURN_PAGES);
	munmap(p, CHURN_PAGES * w->page_size / 4);
	churn_write(w, p + (left - 1) * w->page_size, 1);
	ftruncate(fd, (off_t)(left * w->page_size));
}

static inline void churn_file(const struct workload *w)
{
	size_t bytes = CHURN_PAGES * w->page_size;
	int fd = w->fd[CHURN_FILE];
	char *p = churn_map(w, CHURN_PAGES, MAP_SHARED, fd);

	for (size_t at = 0; at < bytes; at += WORKLOAD_BUFFER)
		if (pwrite(fd, workload_buffer, WORKLOAD_BUFFER, (off_t)at) < 0)
			return;
	fsync(fd);
	churn_write(w, p, CHURN_PAGES / 2);
	if (p)
		msync(p, bytes / 4, MS_SYNC);
	posix_fadvise(fd, (off_t)bytes / 2, (off_t)bytes / 4, POSIX_FADV_DONTNEED);
	for (int i = 0; i < 2; i++)
		if (pread(fd, workload_buffer, WORKLOAD_BUFFER, (off_t)bytes * 3 / 4) < 0)
			return;
	if (p)
		mlock(p, bytes / 8);
}

static inline void churn_huge(const struct workload *w)
{
	size_t huge = w->huge_page_size;
	char *p = huge ? workload_try_aligned_map(CHURN_HUGE * huge, huge, -1) : NULL;

	if (!p)
		return;
	madvise(p, CHURN_HUGE * huge, MADV_HUGEPAGE);
	churn_write(w, p, CHURN_HUGE * huge / w->page_size);
	madvise(p, huge / 2, MADV_DONTNEED);
	munmap(p + huge, huge / 4);
	mprotect(p + 2 * huge, huge / 2, PROT_READ);
	madvise(p + 3 * huge, huge, MADV_PAGEOUT);
	madvise(p, huge, MADV_COLLAPSE);
}

static inline void churn_hugetlb(const struct workload *w)
{
	size_t bytes = workload_hugetlb_bytes();
	char *p = bytes ? churn_map(w, 4 * bytes / w->page_size, MAP_PRIVATE | MAP_HUGETLB, -1)
			: NULL;

	if (!p)
		return;
	p[0] = 1;
	p[bytes] = 1;
	range_fork(w, p, bytes);
	munmap(p + bytes, bytes);
}

static inline void churn_processes(void)
{
	pid_t pid[CHURN_CHILDREN];

	for (int i = 0; i < CHURN_CHILDREN; i++) {
		pid[i] = fork();
		if (pid[i] == 0)
			_exit(0);
	}
	for (int i = 0; i < CHURN_CHILDREN; i++)
		waitpid(pid[i], NULL, 0);
}

/* Uses memory of many kinds; a function for workload_companion(). */
static inline int64_t churn(const struct workload *w)
{
	churn_anon(w);
	churn_shmem(w);
	churn_file(w);
	churn_huge(w);
	churn_hugetlb(w);
	churn_processes();
	return 0;
}

static inline void churn_add(char *to, size_t size, const char *line)
{
	size_t len = strlen(to), begin = strspn(line, " ");

	snprintf(to + len, size - len, "%.*s ", (int)strcspn(line + begin, "\n"), line + begin);
}

/* Copies the first object of "lines" that is reported as wrong. */
static inline void churn_read(FILE *f, char *wrong, size_t size)
{
	char line[512], object[512] = "";
	bool is_wrong = false;

	while (f && fgets(line, sizeof(line), f)) {
		if (strstr(line, "\"line\":"))
			object[0] = '\0';
		churn_add(object, sizeof(object), line);
		is_wrong |= strstr(line, "\"state\": \"wrong\"") || strstr(line, "\"wrong\": true");
		if (is_wrong && !wrong[0] && strchr(line, '}'))
			snprintf(wrong, size, "%s", object);
	}
}

/*
 * Runs the engine's own rssck, /proc/PPID/exe, to audit all lines. It runs in the root cgroup,
 * because its memory would change the cgroup's numbers. Returns its exit status; a wrong line fails
 * the case.
 */
static inline int churn_audit(struct workload *w, const char *command, const char *option)
{
	const char *const argv[] = { "rssck", command, "--json", option, NULL };
	char program[64], wrong[512] = "";
	int ends[2], status = -1;
	FILE *f;
	pid_t pid;

	snprintf(program, sizeof(program), "/proc/%d/exe", (int)getppid());
	workload_must(w, pipe(ends), "pipe");
	pid = fork();
	if (pid == 0) {
		workload_try_to_set("/sys/fs/cgroup/cgroup.procs", "0");
		dup2(ends[1], 1);
		dup2(ends[1], 2);
		close(ends[0]);
		execv(program, (char *const *)argv);
		_exit(127);
	}
	close(ends[1]);
	f = fdopen(ends[0], "r");
	churn_read(f, wrong, sizeof(wrong));
	if (f)
		fclose(f);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		workload_die(w, "rssck %s did not exit by itself", command);
	if (WEXITSTATUS(status) == 1)
		workload_fail(w, "rssck %s: %s", command, wrong);
	return WEXITSTATUS(status);
}

#endif
