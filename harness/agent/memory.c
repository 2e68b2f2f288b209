// SPDX-License-Identifier: MIT
/*
 * Mappings and files of the steps, remembered so that the books can be closed.
 */
#include "agent.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>
#include <unistd.h>

void workload_remember(struct workload *w, void *start, size_t bytes)
{
	struct workload_private *p = w->private;

	if (p->nr_ranges == RANGES_MAX)
		workload_die(w, "more than %d mappings", RANGES_MAX);
	p->ranges[p->nr_ranges++] = (struct range) { start, bytes, p->request };
}

void workload_forget(struct workload *w, void *start)
{
	struct workload_private *p = w->private;

	for (unsigned i = 0; i < p->nr_ranges; i++) {
		if (p->ranges[i].start != start)
			continue;
		p->ranges[i] = p->ranges[--p->nr_ranges];
		return;
	}
}

void workload_forget_range(struct workload *w, void *start, size_t bytes)
{
	const struct workload_private *p = w->private;

	for (unsigned i = 0; i < p->nr_ranges; i++)
		if (p->ranges[i].start == start && p->ranges[i].bytes == bytes)
			return workload_forget(w, start);
}

void *workload_map(struct workload *w, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	void *p = mmap(NULL, bytes, prot, flags, fd, offset);

	if (p == MAP_FAILED && errno == EPERM && prot & PROT_EXEC && fd >= 0)
		workload_skip(w,
			      "a file that may be run: %s is mounted noexec; $TMPDIR or "
			      "--directory names another place",
			      w->private->hello.directory);
	if (p == MAP_FAILED)
		workload_die(w, "mmap of %zu bytes: %s", bytes, strerror(errno));
	workload_remember(w, p, bytes);
	return p;
}

void *workload_anonymous(struct workload *w, size_t pages)
{
	return workload_map(w, pages * w->page_size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void touch_write(const struct workload *w, void *p, size_t pages)
{
	volatile char *c = p;

	for (size_t i = 0; i < pages; i++)
		c[i * w->page_size] = (char)(i | 1);
}

void *workload_written(struct workload *w, size_t pages)
{
	void *p = workload_anonymous(w, pages);

	touch_write(w, p, pages);
	return p;
}

void *workload_stack_down(struct workload *w, size_t bytes)
{
	char here = 0;
	uintptr_t edge = ((uintptr_t)&here - bytes) / w->page_size * w->page_size;
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur < 4 * bytes)
		workload_skip(w, "a stack of %zu kB: RLIMIT_STACK is %llu", 4 * bytes / 1024,
			      (unsigned long long)limit.rlim_cur);
	for (uintptr_t at = (uintptr_t)&here; at >= edge; at -= w->page_size)
		*(volatile char *)at = *(volatile char *)at;
	*(volatile char *)edge = 0;
	return (void *)edge;
}

void touch_read(const struct workload *w, const void *p, size_t pages)
{
	const volatile char *c = p;

	for (size_t i = 0; i < pages; i++)
		(void)c[i * w->page_size];
}

int agent_file(struct workload *w, size_t pages)
{
	const char *dir = w->private->hello.directory;
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	/* Not every file system has O_TMPFILE (ramfs has it since 3.11, NFS has not). */
	if (fd < 0) {
		char name[sizeof(w->private->hello.directory) + 16];

		snprintf(name, sizeof(name), "%s/rssck.XXXXXX", dir);
		fd = mkstemp(name);
		if (fd >= 0)
			unlink(name);
	}
	if (fd < 0)
		return -1;
	/* A hole: read faults fill it with clean pages on every file system. */
	if (ftruncate(fd, (off_t)(pages * w->page_size)) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Of a file system that does not tell its size (ramfs) there is room enough. */
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
	enum { RAMFS = 0x858458f6U };
	struct statfs fs;

	(void)w;
	return fstatfs(fd, &fs) == 0 && (unsigned)fs.f_type != RAMFS;
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

void agent_close_books(struct workload *w)
{
	struct workload_private *p = w->private;

	for (unsigned i = 1; i < WORKLOAD_PROCESSES; i++)
		if (p->pid[i])
			workload_reap(w, i);
	workload_threads_end(w);
	for (unsigned i = p->nr_ranges; i-- > 0;)
		munmap(p->ranges[i].start, p->ranges[i].bytes);
	p->nr_ranges = 0;
	for (unsigned i = 0; i < p->nr_files; i++)
		close(p->files[i]);
	p->nr_files = 0;
}
