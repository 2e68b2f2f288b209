// SPDX-License-Identifier: MIT
/* Limits of a tmpfs, and the ways to use them up, for shmem/limit_exact. */
#ifndef CASES_SHMEM_TAKE_H
#define CASES_SHMEM_TAKE_H

#include "mount.h"
#include <linux/capability.h>
#include <sys/uio.h>

enum { N = 8, MOST = 2 * N };

static struct place {
	struct workload *w;
	int uffd;             /* registered for the mapping */
	int ids[MOST];        /* a descriptor or an identifier of what was taken */
	void *attached[MOST]; /* a segment */
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

/* A whole page of the buffer. */
static char *a_page(void)
{
	return workload_buffer + mount.page - (uintptr_t)workload_buffer % mount.page;
}

/* Writes n pages. If one is refused, the pages before it stay. */
static bool many_write(int from, int n)
{
	struct iovec parts[MOST];
	ssize_t done;

	for (int i = 0; i < n; i++)
		parts[i] = (struct iovec) { a_page(), mount.page };
	done = pwritev(mount.file, parts, n, offset((size_t)from));
	return done == offset((size_t)n) ||
	       (done >= 0 && take_write(from + (int)(done / (ssize_t)mount.page)));
}

static bool many_beyond_end(int from, int n)
{
	return !fallocate(mount.file, FALLOC_FL_KEEP_SIZE, offset((size_t)(MOST + from)),
			  offset((size_t)n));
}

static bool many_read_faults(int from, int n)
{
	return !madvise(mount.p + offset((size_t)from), (size_t)offset((size_t)n),
			MADV_POPULATE_READ);
}

/* A page that cannot be read. */
static char *nowhere(void)
{
	static char *p;

	if (!p)
		p = mmap(NULL, mount.page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p;
}

/* The kernel stops at a page that it cannot copy, and says how far it came. */
static bool copy(int i, const char *from, size_t pages)
{
	size_t done = 0;

	while (done < pages) {
		struct uffdio_copy c = { .dst = (uintptr_t)mount.p +
						(uintptr_t)offset((size_t)i + done),
					 .src = (uintptr_t)from + done * mount.page,
					 .len = (pages - done) * mount.page };

		if (!ioctl(place.uffd, UFFDIO_COPY, &c))
			return true;
		if (c.copy <= 0)
			return false;
		done += (size_t)c.copy / mount.page;
	}
	return true;
}

static bool take_copy(int i)
{
	return copy(i, a_page(), 1);
}

static bool many_copies(int from, int n)
{
	return copy(from, a_page(), (size_t)n);
}

/* The source is not in memory, so the kernel reads it after it gave up its first try. */
static bool take_copy_of_hole(int i)
{
	char *from = workload_try_map(mount.page, PROT_READ, MAP_PRIVATE, -1);
	bool done = from && copy(i, from, 1);
	int error = errno;

	munmap(from, mount.page);
	errno = error;
	return done;
}

/* The source cannot be read, or the page is there already. */
static bool copy_fails(int i)
{
	return !copy(i, nowhere(), 1) && (!i || !take_copy(i - 1));
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

static bool take_write_and_page_out(int i)
{
	bool done = take_write(i);
	int error = errno;

	if (done)
		touch_read(place.w, mount.p + offset((size_t)i), 1); /* only mapped pages go */
	madvise(mount.p, MOST * mount.page, MADV_PAGEOUT);
	errno = error;
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

/* A mount option of 0 is no limit. */
static bool limit_inodes(int64_t n, int others)
{
	return make_tmpfs("nr_inodes=%lld", n == ROOM_INFINITE ? 0 : n + others);
}

/* The root folder has one. */
static bool nr_inodes(int64_t n)
{
	return limit_inodes(n, 1);
}

static bool nr_inodes_and_file(int64_t n)
{
	return limit_inodes(n, 2) && mount_make_file(0);
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

/* Its name needs no further inode. */
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

static bool links_fail(int i)
{
	return linkat(mount.at, "gone", mount.at, "n", 0) < 0 &&
	       (!i || linkat(mount.at, "f", mount.at, name_of(0), 0) < 0);
}

/* A file without a name gets one that is taken. */
static bool naming_fails(int i)
{
	return !i || !take_named(0);
}

/* A symbolic link takes an inode and then, if it is long, a page. */
static bool long_links_fail(int i)
{
	return !i || !take_long_symlink(0);
}

static int64_t links_used(void)
{
	return inodes_used() - 1;
}

/* clang-format off */
#define PAGES_OF(limit, take, give, refused, need) limit, take, give, pages_used, NULL, refused, need, .beside = inodes_used
#define INODES_OF(limit, take, give, refused, need) limit, take, give, inodes_used, NULL, refused, need, .beside = pages_used

static const struct room pages[] = {
	{ "write", PAGES_OF(size_in_bytes, take_write, give_page, ENOSPC, REQUIRED), .many = many_write,
	  .kept = pages_of_file, .over = true, .zero = ROOM_NO_LIMIT },
	{ "write, a size of bytes", PAGES_OF(size_rounded_up, take_write, give_end, ENOSPC, REQUIRED), .many = many_allocate },
	{ "write, nr_blocks", PAGES_OF(size_in_blocks, take_write, give_by_madvise, ENOSPC, REQUIRED), .many = many_allocate,
	  .over = true, .zero = ROOM_NO_LIMIT },
	{ "write, made smaller", PAGES_OF(made_smaller, take_write, give_page, ENOSPC, REQUIRED), .many = many_write, .kept = pages_of_file },
	{ "write, made smaller when full", PAGES_OF(made_smaller_when_full, take_write, give_page, ENOSPC, REQUIRED), .many = many_allocate },
	{ "fallocate", PAGES_OF(size_in_bytes, take_allocate, give_page, ENOSPC, REQUIRED), .many = many_allocate, .over = true,
	  .zero = ROOM_NO_LIMIT },
	{ "fallocate beyond the end", PAGES_OF(size_in_bytes, take_beyond_end, give_beyond_end, ENOSPC, REQUIRED), .many = many_beyond_end },
	{ "fallocate while others are paged out", PAGES_OF(size_in_bytes, take_write_and_page_out, give_page, ENOSPC, REQUIRED),
	  .many = many_allocate, .over = true },
	{ "a write fault", PAGES_OF(size_in_bytes, take_touch, give_by_madvise, EFAULT, REQUIRED), .many = many_populate, .kept = pages_of_file,
	  .over = true, .zero = ROOM_NO_LIMIT },
	{ "a read fault", PAGES_OF(size_in_bytes, take_read_fault, give_end, EFAULT, REQUIRED), .many = many_read_faults, .kept = pages_of_file,
	  .over = true },
	{ "a write fault while others are paged out", PAGES_OF(size_in_bytes, take_and_page_out, give_by_madvise, EFAULT, REQUIRED),
	  .many = many_populate, .kept = pages_of_file, .over = true },
	{ "UFFDIO_COPY", PAGES_OF(with_userfaultfd, take_copy, give_page, ENOMEM, OPTIONAL), .many = many_copies, .kept = pages_of_file,
	  .fails = copy_fails },
	{ "UFFDIO_COPY of a hole", PAGES_OF(with_userfaultfd, take_copy_of_hole, give_page, ENOMEM, OPTIONAL), .fails = copy_fails },
	{ "UFFDIO_ZEROPAGE", PAGES_OF(with_userfaultfd, take_zero_page, give_page, ENOMEM, OPTIONAL), .fails = copy_fails },
	{ "a long symbolic link", PAGES_OF(size_in_bytes, take_long_symlink, give_name, ENOSPC, REQUIRED), .fails = long_links_fail,
	  .zero = ROOM_NO_LIMIT },
	{ "write, a user's quota", PAGES_OF(block_quota, take_write, give_page, EDQUOT, OPTIONAL), .many = many_allocate, .over = true },
	{ "a write fault, a user's quota", PAGES_OF(block_quota, take_touch, give_page, EFAULT, OPTIONAL), .many = many_populate,
	  .kept = pages_of_file },
}, inodes[] = {
	{ "mknod", INODES_OF(nr_inodes, take_node, give_name, ENOSPC, REQUIRED), .fails = names_fail, .zero = ENOSPC, .infinite = true },
	{ "mkdir", INODES_OF(nr_inodes, take_folder, give_folder, ENOSPC, REQUIRED), .fails = names_fail, .zero = ENOSPC, .infinite = true },
	{ "symlink", INODES_OF(nr_inodes, take_symlink, give_name, ENOSPC, REQUIRED), .fails = names_fail, .zero = ENOSPC, .infinite = true },
	{ "a long symbolic link", INODES_OF(nr_inodes, take_long_symlink, give_name, ENOSPC, REQUIRED), .fails = long_links_fail, .zero = ENOSPC },
	{ "link", nr_inodes_and_file, take_link, give_name, links_used, NULL, ENOSPC, REQUIRED, .fails = links_fail, .zero = ENOSPC,
	  .infinite = true, .beside = pages_used },
	{ "O_TMPFILE", INODES_OF(nr_inodes, take_nameless, give_nameless, ENOSPC, REQUIRED), .zero = ENOSPC,
	  .infinite = true, .lasts = LASTS_INHERITED },
	{ "O_TMPFILE that gets a name", INODES_OF(nr_inodes, take_named, give_name, ENOSPC, REQUIRED), .fails = naming_fails, .zero = ENOSPC },
	{ "mknod, a user's quota", INODES_OF(inode_quota, take_node, give_name, EDQUOT, OPTIONAL), .fails = names_fail },
};
/* clang-format on */

#endif
