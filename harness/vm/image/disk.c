// SPDX-License-Identifier: MIT
/*
 * Makes the guest's disks. They are memfds, so no run leaves an image behind. They are sparse, so
 * they use only as much memory as the guest writes.
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

enum { MIB = 1 << 20, DISK_MIB = 256, PAGE_LEAST = 4096, MAGIC_LENGTH = 10 };

static int disk_create(const char *name, unsigned scale)
{
	int fd = memfd_create(name, 0); /* inherited, because mkfs and QEMU open it by its number */

	if (fd >= 0 && ftruncate(fd, (off_t)DISK_MIB * MIB * scale)) {
		close(fd);
		return -1;
	}
	return fd;
}

/*
 * Makes an ext4 file system without journal and checksums. File pages behave the same without them,
 * and the kernel needs no crypto module. The other features are as old as ext4.
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

int disk_ext4(unsigned scale)
{
	char program[PATH_MAX], path[64], why[1024], *text;
	int fd;

	if (!path_find_program("mkfs.ext4", program, sizeof(program)))
		return -1;
	fd = disk_create("rssck-ext4", scale);
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

/*
 * Makes a swap disk for 4 KiB pages. A guest with larger pages finds the disk by its label and
 * writes the header again.
 */
int disk_swap(unsigned scale, char *why, size_t size)
{
	int fd = disk_create("rssck-swap", scale);
	unsigned long long bytes = (unsigned long long)DISK_MIB * MIB * scale;

	if (fd >= 0 && !swap_header_write(fd, bytes, PAGE_LEAST, VM_SWAP_LABEL))
		return fd;
	snprintf(why, size, "swap disk: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Writes union swap_header of include/linux/swap.h. The magic is at the end of the page. */
int swap_header_write(int fd, unsigned long long bytes, unsigned page_size, const char *label)
{
	static const char magic[MAGIC_LENGTH + 1] = "SWAPSPACE2";
	struct {
		char boot[1024];
		uint32_t version, last_page, nr_bad_pages;
		unsigned char uuid[16];
		char label[16];
	} header = { .version = 1, .last_page = bytes / page_size - 1 };

	strncpy(header.label, label, sizeof(header.label) - 1);
	if (pwrite(fd, &header, sizeof(header), 0) == sizeof(header) &&
	    pwrite(fd, magic, MAGIC_LENGTH, page_size - MAGIC_LENGTH) == MAGIC_LENGTH)
		return 0;
	if (!errno)
		errno = ENOSPC;
	return -1;
}
