// SPDX-License-Identifier: MIT
/* Counts the pages of files that are in the page cache. */
#include "walk.h"
#include "met.h"
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { DESCRIPTORS = 20 };

static uint64_t device(const struct stat *s)
{
	return (uint64_t)major(s->st_dev) << 32 | minor(s->st_dev);
}

void walk_file(struct memory_holders *h, int fd, const char *path, const char *more,
	       int64_t page_kb)
{
	struct stat s;
	char name[96];
	uint64_t id;
	int64_t pages = cached_pages(fd, &id);

	if (pages <= 0 || !met_add(h->files, id) || fstat(fd, &s))
		return;
	cached_name(name, sizeof(name), path, more);
	holders_add(h, HELD_CACHE, name, pages * page_kb);
	met_of(h->by_device, device(&s))->sum += pages;
}

/* These are global, because nftw(3) passes no argument to its callback. */
static struct {
	struct memory_holders *h;
	int64_t page_kb;
} walked;

static int found(const char *path, const struct stat *s, int kind, struct FTW *at)
{
	int fd;

	(void)at;
	if (kind != FTW_F || !S_ISREG(s->st_mode) || !s->st_size)
		return 0;
	fd = open(path, O_RDONLY | O_NOATIME | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return 0;
	walk_file(walked.h, fd, path, "", walked.page_kb);
	close(fd);
	return 0;
}

void walk_files(struct memory_holders *h, const char *folder, int64_t page_kb)
{
	walked.h = h;
	walked.page_kb = page_kb;
	nftw(folder, found, DESCRIPTORS, FTW_PHYS | FTW_MOUNT);
}

/*
 * Finds the first mount point of a device in /proc/self/mountinfo: "36 35 254:0 / /mnt rw - ext4
 * /dev/vda rw".
 */
static void name_of(uint64_t dev, char *name, size_t size)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char line[2048], point[200], type[40];
	unsigned major, minor;
	bool found_it = false;

	snprintf(name, size, "device %u:%u", (unsigned)(dev >> 32), (unsigned)dev);
	while (f && !found_it && fgets(line, sizeof(line), f)) {
		const char *dash = strstr(line, " - ");

		found_it = dash &&
			   sscanf(line, "%*d %*d %u:%u %*s %199s", &major, &minor, point) == 3 &&
			   sscanf(dash, " - %39s", type) == 1 &&
			   ((uint64_t)major << 32 | minor) == dev;
		if (found_it)
			snprintf(name, size, "%s on %.50s", type, point);
	}
	if (f)
		fclose(f);
}

void walk_file_systems(struct memory_holders *h, int64_t page_kb)
{
	char name[96];

	for (size_t i = 0; i < h->by_device->room; i++) {
		const struct met_one *one = &h->by_device->of[i];

		if (!one->id)
			continue;
		name_of(one->id, name, sizeof(name));
		holders_add(h, HELD_FILE_SYSTEM, name, one->sum * page_kb);
	}
}
