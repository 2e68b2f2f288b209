// SPDX-License-Identifier: MIT
/*
 * What a tmpfs or an IPC namespace has room for, and the ways to take some of it, for
 * shmem/limit_exact.
 */
#ifndef CASES_SHMEM_TAKE_H
#define CASES_SHMEM_TAKE_H

#include "mount.h"
#include <linux/capability.h>
#include <rssck/uapi.h>
#include <sched.h>
#include <sys/ipc.h>
#include <sys/syscall.h>

enum { N = 8, MOST = 2 * N };

static struct place {
	struct workload *w;
	int uffd;      /* registered for the mapping */
	int ids[MOST]; /* a descriptor or an identifier of what was taken */
} place;

static bool make_tmpfs(const char *format, int64_t number)
{
	char options[96];

	snprintf(options, sizeof(options), format, (long long)number);
	mount.at = workload_tmpfs_of_pages(options);
	return mount.at >= 0;
}

static bool size_in_bytes(int64_t n)
{
	return make_tmpfs("size=%lld", n * (int64_t)mount.page) && mount_make_file(0);
}

static bool size_rounded_up(int64_t n)
{
	return make_tmpfs("size=%lld", (n - 1) * (int64_t)mount.page + 1) && mount_make_file(0);
}

static bool size_in_blocks(int64_t n)
{
	return make_tmpfs("nr_blocks=%lld", n) && mount_make_file(0);
}

static bool change_size(int64_t n)
{
	char option[32];

	snprintf(option, sizeof(option), "nr_blocks=%lld", (long long)n);
	return workload_tmpfs_set(mount.at, option);
}

static bool made_smaller(int64_t n)
{
	return size_in_blocks(2 * n) && change_size(n);
}

/* A file system that is full can be made as small as it is, but not smaller. */
static bool made_smaller_when_full(int64_t n)
{
	if (!size_in_blocks(2 * n) || fallocate(mount.file, 0, 0, n * (off_t)mount.page))
		return false;
	if (change_size(n - 1) || !change_size(n))
		return false;
	return !fallocate(mount.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			  n * (off_t)mount.page);
}

/* A quota holds for a process without CAP_SYS_RESOURCE. */
static bool block_quota(int64_t n)
{
	return make_tmpfs("usrquota,usrquota_block_hardlimit=%lld", n * (int64_t)mount.page) &&
	       mount_make_file(0) && !workload_set_capability(CAP_SYS_RESOURCE, false);
}

static bool with_userfaultfd(int64_t n)
{
	if (!size_in_bytes(n))
		return false;
	place.uffd = workload_try_userfaultfd(place.w, mount.p, MOST * mount.page,
					      UFFDIO_REGISTER_MODE_MISSING);
	return place.uffd >= 0;
}

static bool take_write(int i)
{
	return pwrite(mount.file, "1", 1, offset((size_t)i)) == 1;
}

static bool take_beyond_end(int i)
{
	return !fallocate(mount.file, FALLOC_FL_KEEP_SIZE, offset(MOST + (size_t)i),
			  (off_t)mount.page);
}

/* A read fault in a hole allocates the page. */
static bool take_read_fault(int i)
{
	int ends[2];
	bool done;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	done = write(ends[1], mount.p + offset((size_t)i), 1) == 1;
	close(ends[0]);
	close(ends[1]);
	return done;
}

static bool take_copy(int i)
{
	struct uffdio_copy c = { .dst = (uintptr_t)mount.p + (uintptr_t)offset((size_t)i),
				 .src = (uintptr_t)workload_buffer / mount.page * mount.page +
					mount.page,
				 .len = mount.page };

	return !ioctl(place.uffd, UFFDIO_COPY, &c);
}

static bool take_zero_page(int i)
{
	struct uffdio_zeropage z = { .range = { (uintptr_t)mount.p + (uintptr_t)offset((size_t)i),
						mount.page } };

	return !ioctl(place.uffd, UFFDIO_ZEROPAGE, &z);
}

static bool take_and_page_out(int i)
{
	bool done = take_touch(i);

	madvise(mount.p, MOST * mount.page, MADV_PAGEOUT);
	return done;
}

static bool give_beyond_end(int i)
{
	return give_page(MOST + i);
}

static bool give_by_madvise(int i)
{
	return !madvise(mount.p + offset((size_t)i), mount.page, MADV_REMOVE);
}

/* The root folder has one. */
static bool nr_inodes(int64_t n)
{
	return make_tmpfs("nr_inodes=%lld", n + 1);
}

static bool nr_inodes_and_file(int64_t n)
{
	return make_tmpfs("nr_inodes=%lld", n + 2) && mount_make_file(0);
}

static bool inode_quota(int64_t n)
{
	return make_tmpfs("usrquota,usrquota_inode_hardlimit=%lld", n + 1) &&
	       !workload_set_capability(CAP_SYS_RESOURCE, false);
}

static bool take_symlink(int i)
{
	return !symlinkat("to", mount.at, name_of(i));
}

static bool take_link(int i)
{
	return !linkat(mount.at, "f", mount.at, name_of(i), 0);
}

static bool take_nameless(int i)
{
	place.ids[i] = openat(mount.at, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return place.ids[i] >= 0;
}

/* Its name is no further inode. */
static bool take_named(int i)
{
	int fd = openat(mount.at, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600), error;
	bool done = fd >= 0 && !linkat(fd, "", mount.at, name_of(i), AT_EMPTY_PATH);

	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return done;
}

/* A symbolic link of 128 bytes or more has a page. */
static bool take_long_symlink(int i)
{
	char to[201];

	memset(to, 'x', 200);
	to[200] = '\0';
	return !symlinkat(to, mount.at, name_of(i));
}

static bool give_nameless(int i)
{
	return !close(place.ids[i]);
}

static int64_t links_used(void)
{
	return inodes_used() - 1;
}

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

static bool give_segment(int i)
{
	return !shmctl(place.ids[i], IPC_RMID, NULL);
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

/* The sum of a user's locked segments is limited if the user has no CAP_IPC_LOCK. */
static bool locked_segments(int64_t n)
{
	struct rlimit l = { (rlim_t)n * mount.page, (rlim_t)n * mount.page };

	return !unshare(CLONE_NEWIPC) && !setrlimit(RLIMIT_MEMLOCK, &l) &&
	       !setresuid(WORKLOAD_UNUSED_USER, WORKLOAD_UNUSED_USER, WORKLOAD_UNUSED_USER);
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

static bool give_locked(int i)
{
	return !shmctl(place.ids[i], SHM_UNLOCK, NULL);
}

static int64_t unknown(void)
{
	return -1;
}

static const struct room pages[] = {
	{ "write", size_in_bytes, take_write, give_page, pages_used, NULL, ENOSPC, REQUIRED },
	{ "write, a size of bytes", size_rounded_up, take_write, give_end, pages_used, NULL, ENOSPC, REQUIRED },
	{ "write, nr_blocks", size_in_blocks, take_write, give_by_madvise, pages_used, NULL, ENOSPC, REQUIRED },
	{ "write, made smaller", made_smaller, take_write, give_page, pages_used, NULL, ENOSPC, REQUIRED },
	{ "write, made smaller when full", made_smaller_when_full, take_write, give_page, pages_used, NULL, ENOSPC, REQUIRED },
	{ "fallocate", size_in_bytes, take_allocate, give_page, pages_used, NULL, ENOSPC, REQUIRED },
	{ "fallocate beyond the end", size_in_bytes, take_beyond_end, give_beyond_end, pages_used, NULL, ENOSPC, REQUIRED },
	{ "a write fault", size_in_bytes, take_touch, give_by_madvise, pages_used, NULL, EFAULT, REQUIRED },
	{ "a read fault", size_in_bytes, take_read_fault, give_end, pages_used, NULL, EFAULT, REQUIRED },
	{ "a write fault while others are paged out", size_in_bytes, take_and_page_out, give_by_madvise, pages_used, NULL, EFAULT, REQUIRED },
	{ "UFFDIO_COPY", with_userfaultfd, take_copy, give_page, pages_used, NULL, ENOMEM, OPTIONAL },
	{ "UFFDIO_ZEROPAGE", with_userfaultfd, take_zero_page, give_page, pages_used, NULL, ENOMEM, OPTIONAL },
	{ "a long symbolic link", size_in_bytes, take_long_symlink, give_name, pages_used, NULL, ENOSPC, REQUIRED },
	{ "write, a user's quota", block_quota, take_write, give_page, pages_used, NULL, EDQUOT, OPTIONAL },
	{ "a write fault, a user's quota", block_quota, take_touch, give_page, pages_used, NULL, EFAULT, OPTIONAL },
}, inodes[] = {
	{ "mknod", nr_inodes, take_node, give_name, inodes_used, NULL, ENOSPC, REQUIRED },
	{ "mkdir", nr_inodes, take_folder, give_folder, inodes_used, NULL, ENOSPC, REQUIRED },
	{ "symlink", nr_inodes, take_symlink, give_name, inodes_used, NULL, ENOSPC, REQUIRED },
	{ "link", nr_inodes_and_file, take_link, give_name, links_used, NULL, ENOSPC, REQUIRED },
	{ "O_TMPFILE", nr_inodes, take_nameless, give_nameless, inodes_used, NULL, ENOSPC, REQUIRED },
	{ "O_TMPFILE that gets a name", nr_inodes, take_named, give_name, inodes_used, NULL, ENOSPC, REQUIRED },
	{ "mknod, a user's quota", inode_quota, take_node, give_name, inodes_used, NULL, EDQUOT, OPTIONAL },
}, segments[] = {
	{ "SHMALL", shmall, take_segment, give_segment, segment_pages, NULL, ENOSPC, REQUIRED },
	{ "SHMALL, sizes of bytes", shmall_of_pairs, take_pair, give_segment, segment_pairs, NULL, ENOSPC, REQUIRED },
	{ "SHMMAX", shmmax, take_larger, give_nothing, unknown, NULL, EINVAL, REQUIRED },
	{ "SHMMNI", shmmni, take_segment, give_segment, segments_used, NULL, ENOSPC, REQUIRED },
	{ "SHM_LOCK", locked_segments, take_locked, give_locked, unknown, NULL, ENOMEM, OPTIONAL },
	{ "SHM_LOCK, then IPC_RMID", locked_segments, take_locked, give_segment, unknown, NULL, ENOMEM, OPTIONAL },
};

#endif
