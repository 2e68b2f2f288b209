// SPDX-License-Identifier: MIT
/* Limits for all processes of a user, and the ways to use them up, for virtual/user_limit_exact. */
#ifndef CASES_VIRTUAL_USER_WAYS_H
#define CASES_VIRTUAL_USER_WAYS_H

#include "user.h"
#include <linux/perf_event.h>

enum { N = 8, MOST = 2 * N, READ_WRITE = PROT_READ | PROT_WRITE };
/* A pipe's pages when it is made (PIPE_DEF_BUFFERS), and a larger size. */
enum { PIPE_PAGES = 16, PIPE_GROWN = 2 * PIPE_PAGES };

#define ALLOWANCE "/proc/sys/kernel/perf_event_mlock_kb"
#define PIPE_SOFT "/proc/sys/fs/pipe-user-pages-soft"
#define PIPE_HARD "/proc/sys/fs/pipe-user-pages-hard"

/* The process of each row has its own copy. */
static struct place {
	size_t page;
	unsigned cpus;
	int zeros; /* /dev/zero: read(2) from it writes to memory, without SIGBUS */
	int fd[MOST], end[MOST];
	char *each[MOST]; /* a mapping for each that was taken */
	size_t bytes[MOST];
	int64_t pinned; /* VmPin at the start, in pages */
	const struct workload *w;
} place;

static bool limit_pages(int64_t n)
{
	return user_limit(RLIMIT_MEMLOCK, n == ROOM_INFINITE ? n : n * (int64_t)place.page);
}

static bool become_user(void)
{
	return limit_pages(0) && user_become();
}

/* Returns false, with errno as it is. */
static bool closed(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
	return false;
}

/* ---- memfd_secret ---- */

static bool give_secret(int i)
{
	int error = errno;

	munmap(place.each[i], place.bytes[i]);
	if (place.fd[i] >= 0)
		close(place.fd[i]);
	errno = error;
	return true;
}

/* Writes to each of n pages of one file. */
static bool many_secrets(int i, int n)
{
	char *p;

	for (int k = 1; k < n; k++) {
		place.bytes[i + k] = 0;
		place.fd[i + k] = -1;
	}
	place.bytes[i] = (size_t)n * place.page;
	place.fd[i] = (int)syscall(SYS_memfd_secret, O_CLOEXEC);
	if (place.fd[i] < 0)
		return false;
	if (ftruncate(place.fd[i], (off_t)place.bytes[i]))
		return closed(place.fd[i]);
	p = workload_try_map(place.bytes[i], READ_WRITE, MAP_SHARED, place.fd[i]);
	if (!p)
		return closed(place.fd[i]);
	place.each[i] = p;
	for (int k = 0; k < n; k++)
		if (read(place.zeros, p + (size_t)k * place.page, 1) != 1)
			return give_secret(i) && false;
	return true;
}

static bool take_secret(int i)
{
	return many_secrets(i, 1);
}

/* The mapping alone keeps the file. */
static bool take_secret_closed(int i)
{
	if (!many_secrets(i, 1))
		return false;
	close(place.fd[i]);
	place.fd[i] = -1;
	return true;
}

/* Some kernels count secret memory for its user; others lock it, or do not limit it. */
static bool secrets(int64_t n)
{
	place.zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (!become_user())
		return false;
	if (take_secret(0)) {
		errno = EOPNOTSUPP;
		return give_secret(0) && false;
	}
	return errno == EFAULT && limit_pages(n);
}

/* ---- rings of perf ---- */

static bool open_events(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY,
					.size = sizeof(attr) };

	for (int i = 0; i < MOST; i++) {
		place.fd[i] = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1,
					   PERF_FLAG_FD_CLOEXEC);
		if (place.fd[i] < 0)
			return false;
	}
	return true;
}

/* A ring of the first page only, which has no data. */
static bool take_ring(int i)
{
	place.each[i] = workload_try_map(place.page, READ_WRITE, MAP_SHARED, place.fd[i]);
	return place.each[i];
}

static bool give_ring(int i)
{
	return !munmap(place.each[i], place.page);
}

static int64_t pinned(void)
{
	return workload_status_pages(place.w, "VmPin") - place.pinned;
}

/* The allowance of a user is a number for each CPU. */
static bool rings_within(int64_t n)
{
	int64_t pages = n / (int64_t)place.cpus;

	if (pages * (int64_t)place.cpus != n) {
		errno = EDOM;
		return false;
	}
	return workload_try_to_set_number(ALLOWANCE, pages * (int64_t)(place.page / 1024)) &&
	       open_events() && become_user();
}

/* What exceeds the allowance is counted for the process. */
static bool rings_beyond(int64_t n)
{
	place.pinned = workload_status_pages(place.w, "VmPin");
	return workload_try_to_set_number(ALLOWANCE, 0) && open_events() && become_user() &&
	       limit_pages(n);
}

/* ---- pages of pipes ---- */

static bool take_pipe(int i)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
		return false;
	place.fd[i] = ends[0];
	place.end[i] = ends[1];
	return true;
}

static bool give_pipe(int i)
{
	return !close(place.fd[i]) && !close(place.end[i]);
}

static bool take_grown_pipe(int i)
{
	if (!take_pipe(i))
		return false;
	if (fcntl(place.fd[i], F_SETPIPE_SZ, PIPE_GROWN * (int)place.page) > 0)
		return true;
	closed(place.fd[i]);
	return closed(place.end[i]);
}

/* A pipe that has data cannot become smaller than they are. */
static bool shrinking_fails(int i)
{
	bool failed;

	if (!take_pipe(i))
		return false;
	while (write(place.end[i], workload_buffer, place.page) > 0)
		;
	failed = fcntl(place.fd[i], F_SETPIPE_SZ, (int)place.page) < 0;
	return give_pipe(i) && failed;
}

static bool limit_pipes(int64_t pages)
{
	return workload_try_to_set_number(PIPE_SOFT, 0) &&
	       workload_try_to_set_number(PIPE_HARD, pages) && become_user();
}

static bool pipes(int64_t n)
{
	return limit_pipes(n * PIPE_PAGES);
}

/* A new pipe still fits beside those that have grown. */
static bool grown_pipes(int64_t n)
{
	return limit_pipes(n * PIPE_GROWN + PIPE_PAGES);
}

/* clang-format off */
static const struct room users[] = {
	{ "RLIMIT_MEMLOCK, memfd_secret", secrets, take_secret, give_secret, NULL, NULL, EFAULT, OPTIONAL, .many = many_secrets,
	  .zero = EFAULT, .infinite = true, .lasts = LASTS_INHERITED },
	{ "RLIMIT_MEMLOCK, memfd_secret, closed", secrets, take_secret_closed, give_secret, NULL, NULL, EFAULT, OPTIONAL,
	  .lasts = LASTS_INHERITED },
	{ "RLIMIT_MEMLOCK, rings of perf", rings_beyond, take_ring, give_ring, pinned, NULL, EPERM, OPTIONAL, .zero = EPERM, .infinite = true },
	{ "perf_event_mlock_kb", rings_within, take_ring, give_ring, NULL, NULL, EPERM, OPTIONAL, .zero = EPERM, .lasts = LASTS_TAKER },
	{ "pipe-user-pages-hard", pipes, take_pipe, give_pipe, NULL, NULL, ENFILE, OPTIONAL, .fails = shrinking_fails,
	  .zero = ROOM_NO_LIMIT, .lasts = LASTS_INHERITED },
	{ "pipe-user-pages-hard, F_SETPIPE_SZ", grown_pipes, take_grown_pipe, give_pipe, NULL, NULL, EPERM, OPTIONAL,
	  .fails = shrinking_fails, .lasts = LASTS_INHERITED },
};
/* clang-format on */

#endif
