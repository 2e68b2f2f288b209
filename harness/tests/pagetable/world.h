// SPDX-License-Identifier: MIT
/*
 * A process whose pagemap and kpageflags are sparse files in memory, and an ioctl() for
 * PAGEMAP_SCAN.
 */
#ifndef RSSCK_TEST_WORLD_H
#define RSSCK_TEST_WORLD_H

#include "tests/support/recorded.h"
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

enum { PAGE = 4096, TMPFS_MINOR = 1, DISK_MINOR = 9 };

#define PRESENT   PAGEMAP_PRESENT
#define EXCLUSIVE PAGEMAP_EXCLUSIVE
#define FILE_PAGE PAGEMAP_FILE
#define BASE      (1ULL << 30)

#define KPF(bit)  (1ULL << (bit))
enum { ANON = 12, SWAPBACKED = 14, HWPOISON = 19, NOPAGE = 20, ZERO = 24 };

static struct world {
	struct host host;
	int pagemap;
	struct mapping map; /* begins at BASE */
	struct snapshot s;
} w;

/*
 * The ranges that PAGEMAP_SCAN returns for the mapping; NULL means that the kernel lacks the ioctl.
 */
static const struct scan_region *found;
static int nr_found;

/* All ranges fit into the vector. */
int ioctl(int fd, unsigned long request, ...)
{
	struct scan_arg *arg;
	va_list args;

	(void)fd;
	va_start(args, request);
	arg = va_arg(args, struct scan_arg *);
	va_end(args);
	if (!found) {
		errno = ENOTTY;
		return -1;
	}
	assert_true((uint64_t)nr_found < arg->vec_len);
	memcpy((void *)(uintptr_t)arg->vec, found, (size_t)nr_found * sizeof(*found));
	return nr_found;
}

/* A signal interrupts this many reads of entries and of frames before one succeeds. */
static int interruptions;

ssize_t pread(int fd, void *to, size_t size, off_t at)
{
	if (interruptions > 0) {
		interruptions--;
		errno = EINTR;
		return -1;
	}
	return syscall(SYS_pread64, fd, to, size, at);
}

FIXTURE(setup)
{
	static uint64_t tmpfs;

	w = (struct world) { .pagemap = memfd_create("pagemap", 0) };
	w.host.page_size = PAGE;
	w.host.sees_pfns = true;
	w.host.kpagecount = -1;
	w.host.kpageflags = memfd_create("kpageflags", 0);
	tmpfs = makedev(0, TMPFS_MINOR);
	w.host.shmem_device = &tmpfs;
	w.host.nr_shmem_devices = 1;
	w.map = (struct mapping) { .start = BASE,
				   .end = BASE + 64 * PAGE,
				   .readable = true,
				   .writable = true,
				   .name = "",
				   .flags = "rd wr mr mw me ac" };
	w.s.maps = &w.map;
	w.s.nr_maps = 1;
	assert_int_equal(ftruncate(w.pagemap, (BASE + 64 * PAGE) / PAGE * 8), 0);
	assert_int_equal(ftruncate(w.host.kpageflags, 1 << 20), 0);
	return 0;
}

FIXTURE(teardown)
{
	close(w.pagemap);
	close(w.host.kpageflags);
	found = NULL;
	interruptions = 0;
	return 0;
}

static inline void entry(unsigned n, uint64_t word)
{
	assert_int_equal(pwrite(w.pagemap, &word, 8, (off_t)(BASE / PAGE + n) * 8), 8);
}

static inline void frame(uint64_t pfn, uint64_t flags)
{
	assert_int_equal(pwrite(w.host.kpageflags, &flags, 8, (off_t)pfn * 8), 8);
}

static inline void walk(void)
{
	struct source_error e = { .text = "" };

	if (pagemap_read(w.pagemap, &w.host, &w.s, &e))
		fail_msg("%s", e.text);
}

static inline void of_file(unsigned minor)
{
	w.map.dev_minor = minor;
	w.map.inode = 12;
	w.map.name = "/file";
}

static inline void assert_class(enum page_class class, int64_t pages)
{
	int64_t others = 0;

	for (int c = 0; c < CLASS_COUNT; c++)
		others += c == (int)class ? 0 : w.map.pagemap.of[c];
	assert_int_equal(w.map.pagemap.of[class], pages);
	assert_int_equal(others, 0);
}

static inline void scan_says(const struct scan_region *regions, int nr)
{
	w.host.has_scan = true;
	w.host.sees_pfns = false;
	found = regions;
	nr_found = nr;
}

TESTS_EACH(setup, teardown);

#endif
