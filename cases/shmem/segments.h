// SPDX-License-Identifier: MIT
/* Limits of an IPC namespace and of a user, and the ways to use them up, for shmem/limit_exact. */
#ifndef CASES_SHMEM_SEGMENTS_H
#define CASES_SHMEM_SEGMENTS_H

#include "take.h"
#include <sched.h>
#include <sys/ipc.h>

static bool limit_ipc(const char *file, int64_t limit)
{
	return !unshare(CLONE_NEWIPC) && workload_try_to_set_number(file, limit);
}

static bool shmall(int64_t n)
{
	return limit_ipc("/proc/sys/kernel/shmall", n);
}

static bool shmall_of_pairs(int64_t n)
{
	return shmall(2 * n);
}

static bool shmmax(int64_t n)
{
	return limit_ipc("/proc/sys/kernel/shmmax", n * (int64_t)mount.page);
}

static bool shmmni(int64_t n)
{
	return limit_ipc("/proc/sys/kernel/shmmni", n);
}

static bool make_segment(int i, size_t bytes)
{
	place.ids[i] = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
	return place.ids[i] >= 0;
}

static bool take_segment(int i)
{
	return make_segment(i, mount.page);
}

/* Each segment has one byte more than a page, so it counts two pages. */
static bool take_pair(int i)
{
	return make_segment(i, mount.page + 1);
}

/* One segment for all; the others have no identifier. */
static bool many_segments(int from, int n)
{
	for (int i = 1; i < n; i++)
		place.ids[from + i] = -1;
	return make_segment(from, (size_t)n * mount.page);
}

static bool give_segment(int i)
{
	return place.ids[i] < 0 || !shmctl(place.ids[i], IPC_RMID, NULL);
}

/*
 * The key of a segment that exists, and a segment that is larger than SHMMAX allows, or, if that is
 * SIZE_MAX, whose pages overflow. The kernel may grant smaller ones: vm.overcommit_memory 1 does.
 */
static bool segments_fail(int i)
{
	enum { KEY = 7 };
	int id = shmget(KEY, mount.page, IPC_CREAT | IPC_EXCL | 0600);
	bool failed = id < 0 || shmget(KEY, mount.page, IPC_CREAT | IPC_EXCL | 0600) < 0;

	(void)i;
	if (id >= 0)
		shmctl(id, IPC_RMID, NULL);
	return failed && shmget(IPC_PRIVATE, SIZE_MAX, IPC_CREAT | 0600) < 0;
}

/* One segment, each time larger by a page. */
static bool take_larger(int i)
{
	return make_segment(i, (size_t)(i + 1) * mount.page) && give_segment(i);
}

static bool give_nothing(int i)
{
	(void)i;
	return true;
}

static struct shm_info shm_info(void)
{
	struct shm_info info = { 0 };

	shmctl(0, SHM_INFO, (struct shmid_ds *)&info);
	return info;
}

static int64_t segment_pages(void)
{
	return (int64_t)shm_info().shm_tot;
}

static int64_t segment_pairs(void)
{
	return segment_pages() / 2;
}

static int64_t segments_used(void)
{
	return shm_info().used_ids;
}

static bool limit_number(int resource, rlim_t n)
{
	struct rlimit l = { n, RLIM_INFINITY };

	return !setrlimit(resource, &l);
}

static bool limit_locks(int64_t n)
{
	return limit_number(RLIMIT_MEMLOCK,
			    n == ROOM_INFINITE ? RLIM_INFINITY : (rlim_t)n * mount.page);
}

static bool become_unused_user(void)
{
	return !setresuid(WORKLOAD_UNUSED_USER, WORKLOAD_UNUSED_USER, WORKLOAD_UNUSED_USER);
}

/* The sum of a user's locked segments is limited if the user has no CAP_IPC_LOCK. */
static bool locked_segments(int64_t n)
{
	return !unshare(CLONE_NEWIPC) && limit_locks(n) && become_unused_user();
}

/*
 * Returns true if a new user namespace has the limits of the process that made it. create_user_ns()
 * sets them together with the limit of processes, so a refused fork shows that.
 */
static bool namespaces_are_limited(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	if (pid > 0) {
		waitpid(pid, NULL, 0);
		errno = EOPNOTSUPP;
	}
	return pid < 0 && errno == EAGAIN;
}

static bool take_locked(int i)
{
	if (!take_segment(i))
		return false;
	if (!shmctl(place.ids[i], SHM_LOCK, NULL))
		return true;
	give_segment(i);
	return false;
}

/*
 * The user's own limit is lifted, the namespace's stays what it was when it was made. It is a
 * number of bytes, but the kernel compares it with a number of pages (seen on 6.1 to 7.3).
 */
static bool locked_segments_of_namespace(int64_t n)
{
	return limit_number(RLIMIT_MEMLOCK, (rlim_t)n) && limit_number(RLIMIT_NPROC, 0) &&
	       become_unused_user() && !unshare(CLONE_NEWUSER | CLONE_NEWIPC) &&
	       limit_locks(ROOM_INFINITE) && limit_number(RLIMIT_NPROC, RLIM_INFINITY) &&
	       namespaces_are_limited() && take_locked(0) && give_segment(0);
}

static bool many_locked(int from, int n)
{
	int error;

	if (!many_segments(from, n))
		return false;
	if (!shmctl(place.ids[from], SHM_LOCK, NULL))
		return true;
	error = errno;
	give_segment(from);
	errno = error;
	return false;
}

static bool give_locked(int i)
{
	return place.ids[i] < 0 || !shmctl(place.ids[i], SHM_UNLOCK, NULL);
}

/* The segment stays until the last process detaches it. */
static bool attach_and_remove(int i)
{
	place.attached[i] = shmat(place.ids[i], NULL, 0);
	give_segment(i);
	return place.attached[i] != (void *)-1;
}

static bool take_attached(int i)
{
	return take_segment(i) && attach_and_remove(i);
}

static bool take_locked_attached(int i)
{
	return take_locked(i) && attach_and_remove(i);
}

static bool give_attached(int i)
{
	return !shmdt(place.attached[i]);
}

/* clang-format off */
static const struct room segments[] = {
	{ "SHMALL", shmall, take_segment, give_segment, segment_pages, NULL, ENOSPC, REQUIRED, .many = many_segments,
	  .fails = segments_fail, .zero = ENOSPC },
	{ "SHMALL, attached and removed", shmall, take_attached, give_attached, segment_pages, NULL, ENOSPC, REQUIRED,
	  .fails = segments_fail, .lasts = LASTS_INHERITED },
	{ "SHMALL, sizes of bytes", shmall_of_pairs, take_pair, give_segment, segment_pairs, NULL, ENOSPC, REQUIRED, .fails = segments_fail },
	{ "SHMMAX", shmmax, take_larger, give_nothing, NULL, NULL, EINVAL, REQUIRED, .zero = EINVAL },
	{ "SHMMNI", shmmni, take_segment, give_segment, segments_used, NULL, ENOSPC, REQUIRED, .fails = segments_fail, .zero = ENOSPC },
	{ "SHM_LOCK", locked_segments, take_locked, give_locked, NULL, NULL, ENOMEM, OPTIONAL, .zero = EPERM, .infinite = true },
	{ "SHM_LOCK, then IPC_RMID", locked_segments, take_locked, give_segment, NULL, NULL, ENOMEM, OPTIONAL, .many = many_locked },
	{ "SHM_LOCK, attached and removed", locked_segments, take_locked_attached, give_attached, NULL, NULL, ENOMEM, OPTIONAL,
	  .lasts = LASTS_INHERITED },
	{ "SHM_LOCK, the limit of a user namespace", locked_segments_of_namespace, take_locked, give_segment, NULL, NULL, ENOMEM, OPTIONAL,
	  .many = many_locked },
};
/* clang-format on */

#endif
