// SPDX-License-Identifier: MIT
/* A file on ramfs is RssFile like a file on disk, and is never reclaimed. */
#include <rssck/case.h>
#include <sys/vfs.h>

enum { PAGES = 256, HALF = PAGES / 2, REGION = 0 };

static void map_and_read(struct workload *w)
{
	char name[WORKLOAD_NAME], path[WORKLOAD_NAME + 8];
	struct statfs fs;
	int fd;

	snprintf(path, sizeof(path), "/tmp/%s", workload_name(w, name));
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		workload_skip(w, "a ramfs on /tmp (%m)");
	unlink(path);
	if (fstatfs(fd, &fs) < 0 || (unsigned)fs.f_type != RAMFS_MAGIC)
		workload_skip(w, "a ramfs on /tmp (`rssck vm` has one)");
	workload_must(w, ftruncate(fd, (off_t)(PAGES * w->page_size)), "ftruncate");
	w->slot[REGION] = workload_shared(w, PAGES, fd);
	close(fd);
	touch_read(w, w->slot[REGION], PAGES);
}

/* Written pages must stay dirty, because ramfs has no disk to write them to. */
static void write_half(struct workload *w)
{
	touch_write(w, w->slot[REGION], HALF);
	workload_must(w, msync(w->slot[REGION], PAGES * w->page_size, MS_SYNC), "msync");
}

static void page_out(struct workload *w)
{
	if (madvise(w->slot[REGION], PAGES * w->page_size, MADV_PAGEOUT) < 0)
		workload_skip_step(w, "MADV_PAGEOUT: %m");
}

CASE(file_ramfs) {
	.claim = "Pages of a ramfs file are RssFile; after a write they stay dirty even after "
		 "msync, and stay resident even after MADV_PAGEOUT",
	.because = "ramfs consists of page cache only. Its pages are not swap-backed, so they "
		   "count as file pages, and its address_space is unevictable.",
	.said_by = SAID_BY("Documentation/filesystems/ramfs-rootfs-initramfs.rst"),
	.steps = STEPS(STEP("map and read", map_and_read,
			    MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES))),
		       STEP("write half, msync", write_half, MOVES(FILE_DIRTIED(HALF))),
		       STEP("MADV_PAGEOUT", page_out)),
};
