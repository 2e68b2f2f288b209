// SPDX-License-Identifier: MIT
/* Finds the workload program, and a directory whose files are neither shmem nor hugetlb. */
#include "paths.h"
#include "base/kernel_file.h"
#include "base/process/path.h"
#include <errno.h>
#include <rssck/uapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

static int find_program(struct engine *e, const char *name, char *why, size_t size)
{
	char path[sizeof(e->workload)];

	if (path_beside(name, path, sizeof(path))) {
		snprintf(e->workload, sizeof(e->workload), "%s", path);
		/* The kernel hides a process's smaps from a user who may not read its program. */
		if (!access(path, R_OK))
			return 0;
		snprintf(why, size,
			 "%.230s: %s: make this file readable; otherwise smaps cannot be read",
			 path, strerror(errno));
		return -1;
	}
	if (!strncmp(path, "/proc/", strlen("/proc/")))
		snprintf(why, size, "%s: readlink(2): %s (is /proc mounted?)", path,
			 strerror(errno));
	else if (errno == ENOENT)
		snprintf(why, size,
			 "%.230s: not found, and not in ../libexec/rssck either (make all)", path);
	else
		snprintf(why, size, "%.230s: access(2): %s", path, strerror(errno));
	return -1;
}

int paths_find_workload(struct engine *e, char *why, size_t size)
{
	return find_program(e, "rssck-workload", why, size);
}

bool paths_find_worker(struct engine *e)
{
	char why[512];

	return find_program(e, "rssck-worker", why, sizeof(why)) == 0;
}

/*
 * Returns by how many kB Pss_Shmem of this process rises if it maps the file's pages, 0 if they
 * cannot be mapped.
 */
static int64_t shmem_of(int fd, size_t pages, size_t page_size)
{
	static const char path[] = "/proc/self/smaps_rollup", field[] = "Pss_Shmem";
	int64_t before = kernel_number(path, field, 0), rise;
	size_t bytes = pages * page_size;
	volatile char *p = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return 0;
	for (size_t i = 0; i < bytes; i += page_size)
		(void)p[i];
	rise = kernel_number(path, field, 0) - before;
	munmap((void *)p, bytes);
	return rise;
}

/*
 * True if pages of the file are shmem although its device is not: an overlay of a tmpfs, as in live
 * systems and some containers, maps the lower file. No call names the lower file system, so this
 * maps pages of the file and counts them. The pages are written with write(2) first, because
 * touching a page of a full file system would raise SIGBUS.
 */
static bool has_shmem_pages(int fd, size_t page_size)
{
	enum { PAGES = 16 };

	for (size_t i = 0; i < PAGES; i++)
		if (pwrite(fd, "", 1, (off_t)(i * page_size)) != 1)
			return false;
	/* The first time may also map pages of this program, which may be shmem, too. */
	shmem_of(fd, PAGES, page_size);
	return shmem_of(fd, PAGES, page_size) * 1024 > (int64_t)(PAGES * page_size / 2);
}

/* Returns why files in the directory cannot be used, or NULL. */
static const char *no_files(const struct engine *e, const char *directory)
{
	char name[4096];
	struct statfs fs;
	struct stat st;
	int fd;

	snprintf(name, sizeof(name), "%.4000s/rssck.XXXXXX", directory);
	fd = mkstemp(name);
	if (fd < 0)
		return strerror(errno);
	unlink(name);

	const char *is = fstat(fd, &st) ? strerror(errno)
			 : host_is_shmem_device(&e->host, major(st.st_dev), minor(st.st_dev))
				 ? "it is a tmpfs"
			 : fstatfs(fd, &fs) == 0 && (unsigned)fs.f_type == HUGETLBFS_MAGIC
				 ? "it is a hugetlbfs"
			 : has_shmem_pages(fd, (size_t)e->host.page_size)
				 ? "its files are in a tmpfs, below an overlay"
				 : NULL;

	close(fd);
	return is;
}

int paths_find_directory(struct engine *e, const char *directory, char *why, size_t size)
{
	const char *candidates[] = { getenv("TMPDIR"), "/tmp", "/var/tmp", "." };

	if (directory) {
		snprintf(e->directory, sizeof(e->directory), "%s", directory);
		if (!no_files(e, directory))
			return 0;
		snprintf(why, size,
			 "%.200s: unsuitable for the cases' files (%s): name another "
			 "--directory",
			 directory, no_files(e, directory));
		return -1;
	}
	for (size_t i = 0; i < sizeof(candidates) / sizeof(*candidates); i++) {
		if (!candidates[i] || no_files(e, candidates[i]))
			continue;
		snprintf(e->directory, sizeof(e->directory), "%s", candidates[i]);
		return 0;
	}
	snprintf(why, size,
		 "no directory for the cases' files (tried $TMPDIR, /tmp, /var/tmp and "
		 ".; tmpfs, overlays of a tmpfs and hugetlbfs are unsuitable): name one with "
		 "--directory");
	return -1;
}
