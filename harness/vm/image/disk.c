// SPDX-License-Identifier: MIT
/*
 * Makes the guest's disks. They are memfds, so that no run leaves an image
 * behind, and sparse, so that they cost what the guest writes.
 */
#include "disk.h"
#include "base/process/path.h"
#include "base/process/program.h"
#include "vm/vm.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MIB = 1 << 20, DISK_SIZE = 256 * MIB, PAGE = 4096 };

static int disk_create(const char *name)
{
	int fd = memfd_create(name, 0); /* inherited: mkfs and QEMU open it by its number */

	if (fd >= 0 && ftruncate(fd, DISK_SIZE)) {
		close(fd);
		return -1;
	}
	return fd;
}

/*
 * No journal and no checksums: a file's pages are the same without, the kernel
 * needs no crypto module, and every mkfs and every kernel knows what is left.
 */
static char *mkfs(char *program, char *path, char *why, size_t size)
{
	char *argv[] = { program,
			 "-q",
			 "-F",
			 "-b",
			 "4096",
			 "-L",
			 VM_EXT4_LABEL,
			 "-E",
			 "lazy_itable_init=1,nodiscard",
			 "-O",
			 "none,extent,filetype,dir_index,sparse_super,large_file",
			 path,
			 NULL };

	return program_ask(argv, why, size);
}

int disk_ext4(void)
{
	char program[PATH_MAX], path[64], why[1024], *text;
	int fd;

	if (!path_find_program("mkfs.ext4", program, sizeof(program)))
		return -1;
	fd = disk_create("rssck-ext4");
	if (fd < 0)
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	text = mkfs(program, path, why, sizeof(why));
	if (!text) {
		close(fd);
		return -1;
	}
	free(text);
	return fd;
}

int disk_swap(char *why, size_t size)
{
	int fd = disk_create("rssck-swap");

	if (fd >= 0 && !swap_header_write(fd, DISK_SIZE, VM_SWAP_LABEL))
		return fd;
	snprintf(why, size, "swap disk: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/* union swap_header of include/linux/swap.h */
int swap_header_write(int fd, unsigned long long bytes, const char *label)
{
	struct {
		char boot[1024];
		uint32_t version, last_page, nr_bad_pages;
		unsigned char uuid[16];
		char label[16];
		char padding[PAGE - 1024 - 3 * 4 - 2 * 16 - 10];
		char magic[10];
	} header = { .version = 1, .last_page = bytes / PAGE - 1 };

	_Static_assert(sizeof(header) == PAGE, "the header is a page");
	strncpy(header.label, label, sizeof(header.label) - 1);
	memcpy(header.magic, "SWAPSPACE2", sizeof(header.magic));
	if (pwrite(fd, &header, sizeof(header), 0) == sizeof(header))
		return 0;
	if (!errno)
		errno = ENOSPC;
	return -1;
}
