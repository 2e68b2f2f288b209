// SPDX-License-Identifier: MIT
/*
 * Files of the steps, on a real file system and on tmpfs, and what of them is
 * in the page cache.
 */
#include "agent.h"
#include <errno.h>
#include <fcntl.h>
#include <rssck/uapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

char workload_buffer[WORKLOAD_BUFFER];

const char *workload_name(const struct workload *w, char name[WORKLOAD_NAME])
{
	snprintf(name, WORKLOAD_NAME, "%s.%d", w->private->hello.mark, (int)getpid());
	return name;
}

/*
 * Not every file system has O_TMPFILE: NFS has not, nor has ramfs on 5.10. mkstemp(3) would
 * read the time from the vdso, whose page then counts in a step that does not expect it.
 */
static int named_file(const struct workload *w)
{
	static unsigned nr;
	char mark[WORKLOAD_NAME], name[sizeof(w->private->hello.directory) + sizeof(mark) + 16];
	int fd;

	snprintf(name, sizeof(name), "%s/%s.%u", w->private->hello.directory,
		 workload_name(w, mark), nr++);
	fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		unlink(name);
	return fd;
}

int agent_file(struct workload *w, size_t pages)
{
	const char *dir = w->private->hello.directory;
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		fd = named_file(w);
	if (fd < 0)
		return -1;
	/* A hole: read faults fill it with clean pages on every file system. */
	if (ftruncate(fd, (off_t)(pages * w->page_size)) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* A file system that does not report its size (ramfs) has room enough. */
void workload_need_room(struct workload *w, int fd, size_t pages, const char *where)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0 || fs.f_blocks == 0 ||
	    (uint64_t)fs.f_bavail * (uint64_t)fs.f_bsize >= pages * w->page_size)
		return;
	workload_skip(w, "room for %zu kB on the file system of %s (df)",
		      pages * w->page_size / 1024, where);
}

int workload_file(struct workload *w, size_t pages)
{
	struct workload_private *p = w->private;
	int fd;

	if (p->nr_files == FILES_MAX)
		workload_die(w, "more than %d files", FILES_MAX);
	fd = agent_file(w, pages);
	if (fd < 0)
		workload_die(w, "a file of %zu pages in %s: %s (another --directory?)", pages,
			     p->hello.directory, strerror(errno));
	p->files[p->nr_files++] = fd;
	return fd;
}

int workload_shmem(struct workload *w, size_t pages)
{
	struct workload_private *p = w->private;
	int fd;

	if (p->nr_files == FILES_MAX)
		workload_die(w, "more than %d files", FILES_MAX);
	fd = memfd_create("rssck", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		workload_skip(w, "memfd_create(2): %s", strerror(errno));
	p->files[p->nr_files++] = fd;
	if (ftruncate(fd, (off_t)(pages * w->page_size)) < 0)
		workload_die(w, "ftruncate of a memfd: %s", strerror(errno));
	return fd;
}

bool workload_file_is_written_back(const struct workload *w, int fd)
{
	struct statfs fs;

	(void)w;
	return fstatfs(fd, &fs) == 0 && (unsigned)fs.f_type != RAMFS_MAGIC;
}

void agent_undo_step(struct workload *w)
{
	struct workload_private *p = w->private;
	unsigned left = 0;

	for (unsigned i = 0; i < p->nr_ranges; i++) {
		if (p->ranges[i].request == p->request)
			munmap(p->ranges[i].start, p->ranges[i].bytes);
		else
			p->ranges[left++] = p->ranges[i];
	}
	p->nr_ranges = left;
	while (p->nr_files > p->nr_files_before)
		close(p->files[--p->nr_files]);
}

static const char no_writeback[] = "a file system that writes back (this is ramfs)";

void workload_needs_writeback(struct workload *w, int fd)
{
	if (!workload_file_is_written_back(w, fd))
		workload_skip_step(w, "%s", no_writeback);
}

void workload_case_needs_writeback(struct workload *w, int fd)
{
	if (!workload_file_is_written_back(w, fd))
		workload_skip(w, "%s", no_writeback);
}

int workload_file_uncached(struct workload *w, size_t pages)
{
	int fd = workload_file(w, pages);

	workload_case_needs_writeback(w, fd);
	fsync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return fd;
}

void workload_cache(struct workload *w, int fd, size_t pages)
{
	char byte;

	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM);
	for (size_t i = 0; i < pages; i++)
		if (pread(fd, &byte, 1, (off_t)(i * w->page_size)) != 1)
			workload_die(w, "pread of a file that was just made: %s", strerror(errno));
}

void *workload_map_text(struct workload *w, int fd, size_t pages)
{
	size_t bytes = pages * w->page_size;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);

	if (p == MAP_FAILED)
		workload_skip(w, "an executable mapping of a file: %s (--directory on noexec?)",
			      strerror(errno));
	workload_remember(w, p, bytes);
	return p;
}
