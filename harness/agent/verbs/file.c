// SPDX-License-Identifier: MIT
/* Implements verbs that change a file while it is mapped. */
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

int act_file(const struct worker *k, const struct act *a)
{
	uint16_t file = k->regions[a->region].file;

	errno = EBADF;
	return file ? k->files[file] : -1;
}

static off_t offset_of(const struct worker *k, const struct act *a)
{
	return (off_t)(a->first * k->page);
}

void verb_truncate(struct worker *k, const struct act *a)
{
	int fd = act_file(k, a);

	act_result(k, fd < 0 ? -1 : ftruncate(fd, offset_of(k, a)));
}

void verb_punch(struct worker *k, const struct act *a)
{
	int fd = act_file(k, a);

	act_result(k, fd < 0 ? -1
			     : fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
					 offset_of(k, a), (off_t)act_bytes(k, a)));
}

/* Counts the file's pages with data (shmem_file_llseek()), swapped or not. */
static int64_t data_pages(int fd, size_t page)
{
	off_t data = 0, hole = 0;
	int64_t bytes = 0;

	while ((data = lseek(fd, hole, SEEK_DATA)) >= 0 &&
	       (hole = lseek(fd, data, SEEK_HOLE)) > data)
		bytes += hole - data;
	return bytes / (int64_t)page;
}

/*
 * Stores how many pages are charged to a shmem file (shmem_charge(), shmem_recalc_inode()), and how
 * many have data. A huge page may be charged in full although the file has less data.
 */
void act_blocks(struct worker *k, const struct act *a)
{
	int fd = act_file(k, a);
	struct statfs fs;
	struct stat s;

	if (fd < 0 || fstatfs(fd, &fs) < 0 || fs.f_type != TMPFS_MAGIC || fstat(fd, &s) < 0)
		return;
	k->outcome.blocks = s.st_blocks / (int64_t)(k->page / 512);
	k->outcome.data = data_pages(fd, k->page);
}

/* The atlas and the fuzzer make the same comparison after each operation with a range. */
void verb_stat(struct worker *k, const struct act *a)
{
	act_blocks(k, a);
	errno = EOPNOTSUPP;
	act_result(k, k->outcome.blocks || k->outcome.data ? 0 : -1);
	act_at_least(k, k->outcome.blocks, k->outcome.data);
}

void verb_pwrite(struct worker *k, const struct act *a)
{
	int fd = act_file(k, a);
	char byte = (char)a->serial;

	act_result(k, fd);
	for (uint32_t i = 0; fd >= 0 && i < a->pages && !k->outcome.error; i++)
		act_result(k, pwrite(fd, &byte, 1, offset_of(k, a) + (off_t)(i * k->page)));
}
