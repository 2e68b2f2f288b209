// SPDX-License-Identifier: MIT
/*
 * A file system that is mounted nowhere, a tmpfs or a hugetlbfs, and the ways to take its pages and
 * its inodes, for the cases limit_exact (rssck/room.h).
 */
#ifndef CASES_SHMEM_MOUNT_H
#define CASES_SHMEM_MOUNT_H

#include <linux/falloc.h>
#include <rssck/case.h>
#include <rssck/room.h>
#include <sys/statfs.h>

/* The child process of each row has its own copy. */
static struct mount {
	size_t page;  /* bytes of a page of this file system */
	size_t pages; /* of the file, which is a hole at first */
	int at, file; /* the root, and a file */
	char *p;      /* a shared mapping of the file */
	int zeros;    /* /dev/zero: read(2) from it writes to memory, without SIGBUS */
} mount;

static inline off_t offset(size_t i)
{
	return (off_t)(i * mount.page);
}

/* Sizes and maps mount.file. */
static inline bool mount_map_file(int flags)
{
	off_t bytes = offset(mount.pages);

	mount.zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (mount.zeros < 0 || mount.file < 0 || ftruncate(mount.file, bytes))
		return false;
	mount.p = workload_try_map((size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags,
				   mount.file);
	return mount.p;
}

static inline bool mount_make_file(int flags)
{
	mount.file = openat(mount.at, "f", O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	return mount_map_file(flags);
}

static inline bool take_touch(int i)
{
	return read(mount.zeros, mount.p + offset((size_t)i), 1) == 1;
}

static inline bool take_allocate(int i)
{
	return !fallocate(mount.file, 0, offset((size_t)i), (off_t)mount.page);
}

static inline bool many_allocate(int from, int n)
{
	return !fallocate(mount.file, 0, offset((size_t)from), offset((size_t)n));
}

/* Faults in pages one by one, and keeps those before the fault that fails. Needs Linux 5.14. */
static inline bool many_populate(int from, int n)
{
	return !madvise(mount.p + offset((size_t)from), (size_t)offset((size_t)n),
			MADV_POPULATE_WRITE);
}

static inline bool give_page(int i)
{
	return !fallocate(mount.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset((size_t)i),
			  (off_t)mount.page);
}

static inline bool give_end(int i)
{
	return !ftruncate(mount.file, offset((size_t)i)) &&
	       !ftruncate(mount.file, offset(mount.pages));
}

static inline struct statfs mount_room(void)
{
	struct statfs fs = { 0 };

	fstatfs(mount.at, &fs);
	return fs;
}

static inline int64_t pages_used(void)
{
	struct statfs fs = mount_room();

	return fs.f_blocks ? (int64_t)(fs.f_blocks - fs.f_bfree) : -1; /* 0: no limit */
}

/* Pages of the file. */
static inline int64_t pages_of_file(void)
{
	struct stat s = { 0 };

	fstat(mount.file, &s);
	return (int64_t)s.st_blocks * 512 / (int64_t)mount.page;
}

/* The root folder is not counted here. */
static inline int64_t inodes_used(void)
{
	struct statfs fs = mount_room();

	return fs.f_files ? (int64_t)(fs.f_files - fs.f_ffree) - 1 : -1; /* 0: no limit */
}

static inline char *name_of(int i)
{
	static char name[16];

	snprintf(name, sizeof(name), "n%d", i);
	return name;
}

static inline bool take_node(int i)
{
	return !mknodat(mount.at, name_of(i), S_IFREG | 0600, 0);
}

static inline bool take_folder(int i)
{
	return !mkdirat(mount.at, name_of(i), 0700);
}

/* The name of number 0 is taken, and the folder "gone" is not there. */
static inline bool names_fail(int i)
{
	return mknodat(mount.at, "gone/n", S_IFREG | 0600, 0) < 0 &&
	       (!i || (mknodat(mount.at, name_of(0), S_IFREG | 0600, 0) < 0 &&
		       mkdirat(mount.at, name_of(0), 0700) < 0 &&
		       symlinkat("to", mount.at, name_of(0)) < 0));
}

static inline bool give_name(int i)
{
	return !unlinkat(mount.at, name_of(i), 0);
}

static inline bool give_folder(int i)
{
	return !unlinkat(mount.at, name_of(i), AT_REMOVEDIR);
}

#endif
