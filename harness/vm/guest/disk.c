// SPDX-License-Identifier: MIT
/* Finds the disks of the guest by their labels, and uses them. */
#include "vm/image/disk.h"
#include "setup.h"
#include "vm/vm.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <unistd.h>

enum { EXT4_LABEL_AT = 1024 + 120, SWAP_LABEL_AT = 1024 + 12 + 16, LABEL_LENGTH = 10 };
enum { ZRAM_PAGES = 65536 };

static bool has_label(const char *device, off_t at, const char *label)
{
	char found[LABEL_LENGTH + 1] = "";
	int fd = open(device, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (pread(fd, found, LABEL_LENGTH, at) != LABEL_LENGTH)
		found[0] = '\0';
	close(fd);
	return !strcmp(found, label);
}

static int disk_find(char *device, size_t size, off_t at, const char *label)
{
	DIR *disks = opendir("/sys/block");
	struct dirent *disk;
	int result = -1;

	while (disks && result && (disk = readdir(disks))) {
		if (disk->d_name[0] == '.' || !strncmp(disk->d_name, "zram", 4))
			continue;
		snprintf(device, size, "/dev/%s", disk->d_name);
		if (has_label(device, at, label))
			result = 0;
	}
	if (disks)
		closedir(disks);
	return result;
}

static int file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t written;

	if (fd < 0)
		return -1;
	written = write(fd, text, strlen(text));
	close(fd);
	return written < 0 ? -1 : 0;
}

static unsigned page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

/*
 * Writes the header of the swap area. The header counts pages, and the host did not know this
 * kernel's page size. Returns 0, or -1.
 */
static int swap_make(const char *device)
{
	int result, fd = open(device, O_RDWR | O_CLOEXEC);
	off_t bytes = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);

	if (fd < 0)
		return -1;
	result = bytes <= 0 ? -1 : swap_header_write(fd, bytes, page_size(), VM_SWAP_LABEL);
	close(fd);
	return result;
}

/*
 * Enables swap on zram. zram is preferred because it is written synchronously: when MADV_PAGEOUT
 * returns, the page has left the process and the swap cache.
 */
static int zram_swap_on(void)
{
	char bytes[32];

	snprintf(bytes, sizeof(bytes), "%llu", ZRAM_PAGES * (unsigned long long)page_size());
	if (file_write("/sys/block/zram0/disksize", bytes))
		return -1;
	return swap_make("/dev/zram0") ? -1 : swapon("/dev/zram0", 0);
}

void guest_swap_on(void)
{
	const char *wanted = guest_wanted("swap");
	char device[PATH_MAX];

	if (wanted && !strcmp(wanted, "none"))
		return;
	if ((!wanted || strcmp(wanted, "disk")) && !access("/sys/block/zram0", F_OK)) {
		if (!zram_swap_on())
			return;
		fprintf(stderr, "rssck: guest: no swap on zram: %s\n", strerror(errno));
	}
	if (wanted && !strcmp(wanted, "zram"))
		return;
	if (disk_find(device, sizeof(device), SWAP_LABEL_AT, VM_SWAP_LABEL))
		return;
	if (swap_make(device) || swapon(device, 0))
		fprintf(stderr, "rssck: guest: no swap on %s: %s\n", device, strerror(errno));
}

int guest_ext4_mount(void)
{
	char device[PATH_MAX];

	if (disk_find(device, sizeof(device), EXT4_LABEL_AT, VM_EXT4_LABEL))
		return -1;
	mkdir("/ext4", 0755);
	if (!mount(device, "/ext4", "ext4", MS_NOATIME, NULL))
		return 0;
	fprintf(stderr, "rssck: guest: no ext4 on %s: %s\n", device, strerror(errno));
	return -1;
}
