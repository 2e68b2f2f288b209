// SPDX-License-Identifier: MIT
/* Copies the workload program into a file that only this check uses. */
#include "agent/protocol.h"
#include "base/output.h"
#include "paths.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* above the descriptors that the workload uses as channels */
enum { LOWEST_FD = CHANNEL_FD + WORKLOAD_PROCESSES + 1, PATH_SIZE = 32 };

static const char *path_of(int fd, char path[PATH_SIZE])
{
	snprintf(path, PATH_SIZE, "/proc/self/fd/%d", fd);
	return path;
}

/*
 * Returns the size of a program file without the part that no segment contains, its debug symbols.
 */
static off_t bytes_loaded(const unsigned char *file, size_t size)
{
	const ElfW(Ehdr) *head = (const void *)file;
	size_t end = 0;

	if (size < sizeof(*head) || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
	    head->e_phoff + head->e_phnum * sizeof(ElfW(Phdr)) > size)
		return (off_t)size;
	for (unsigned i = 0; i < head->e_phnum; i++) {
		const ElfW(Phdr) *p = (const ElfW(Phdr) *)(const void *)(file + head->e_phoff) + i;

		if (p->p_offset + p->p_filesz > end)
			end = p->p_offset + p->p_filesz;
	}
	return end && end < size ? (off_t)end : (off_t)size;
}

/*
 * Copies the program and writes the copy back to disk. Otherwise its pages could become clean
 * during a step.
 */
static bool fill(int fd, const char *program)
{
	int from = open(program, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *data = MAP_FAILED;
	bool done = false;

	if (from >= 0 && fstat(from, &st) == 0 && st.st_size)
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, from, 0);
	if (data != MAP_FAILED) {
		done = !write_all(fd, data, (size_t)bytes_loaded(data, (size_t)st.st_size)) &&
		       fchmod(fd, 0500) == 0 && fsync(fd) == 0;
		munmap(data, (size_t)st.st_size);
	}
	if (from >= 0)
		close(from);
	return done;
}

/* False if the file system is mounted noexec, or a security module refuses to run the copy. */
static bool runs(int fd)
{
	char path[PATH_SIZE];
	int status = -1;
	pid_t pid = vfork();

	if (pid == 0) {
		execl(path_of(fd, path), "rssck-workload", "--does-it-run", (char *)NULL);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/*
 * False if opening the file drops its page cache, as some FUSE file systems do. A running workload
 * would lose its mapped pages. If this cannot be tested, the result is true.
 */
static bool stays_cached(int fd)
{
	long page = sysconf(_SC_PAGESIZE);
	volatile char *p = mmap(NULL, (size_t)page, PROT_READ, MAP_PRIVATE, fd, 0);
	char path[PATH_SIZE];
	unsigned char in_core = 1;
	int again;

	if (p == MAP_FAILED)
		return true;
	(void)*p;
	again = open(path_of(fd, path), O_RDONLY | O_CLOEXEC);
	if (again >= 0)
		close(again);
	if (mincore((void *)p, (size_t)page, &in_core) < 0)
		in_core = 1;
	munmap((void *)p, (size_t)page);
	return in_core & 1;
}

/*
 * Copies the program into the empty file fd and closes fd. Opens the copy again for reading only,
 * because a program that is open for writing cannot be run (ETXTBSY). Returns its descriptor, or -1
 * if the copy cannot be made or used.
 */
static int open_again(int fd, const char *program)
{
	char path[PATH_SIZE];
	int high, again = -1;

	if (fd < 0)
		return -1;
	if (fill(fd, program))
		again = open(path_of(fd, path), O_RDONLY | O_CLOEXEC);
	close(fd);
	if (again < 0)
		return -1;
	high = fcntl(again, F_DUPFD_CLOEXEC, LOWEST_FD);
	close(again);
	if (high < 0 || (stays_cached(high) && runs(high)))
		return high;
	close(high);
	return -1;
}

/*
 * Makes a file without a name. Some file systems have no O_TMPFILE: ramfs on 5.10, and some network
 * file systems.
 */
static int nameless_file(const char *directory)
{
	char name[4096];
	int fd;

	if (!directory || !*directory)
		return -1;
	fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0700);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	if ((size_t)snprintf(name, sizeof(name), "%s/rssck.XXXXXX", directory) >= sizeof(name))
		return -1;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

/*
 * Makes the copy in a directory where files can be made and run. The last resort is a memfd, whose
 * text is shmem.
 */
static int copy_open(const struct engine *e)
{
	char beside[sizeof(e->workload)];
	int fd;

	snprintf(beside, sizeof(beside), "%s", e->workload);

	const char *const places[] = { e->directory, dirname(beside), getenv("HOME") };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		fd = open_again(nameless_file(places[i]), e->workload);
		if (fd >= 0)
			return fd;
	}
	return open_again(memfd_create("rssck-workload", MFD_CLOEXEC), e->workload);
}

void copy_make(struct engine *e)
{
	char path[PATH_SIZE];

	e->copy = copy_open(e);
	if (e->copy >= 0)
		snprintf(e->workload, sizeof(e->workload), "%s", path_of(e->copy, path));
}

void copy_drop(struct engine *e)
{
	if (e->copy > 0)
		close(e->copy);
	e->copy = -1;
}
