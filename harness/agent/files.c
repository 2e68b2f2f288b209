// SPDX-License-Identifier: MIT
/*
 * Makes files for steps, in --directory and in shmem, and finds out how the file system caches
 * them.
 */
#include "agent.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <rssck/uapi.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

char workload_buffer[WORKLOAD_BUFFER];

const char *workload_name(const struct workload *w, char name[WORKLOAD_NAME])
{
	snprintf(name, WORKLOAD_NAME, "%s.%d", w->private->hello.mark, (int)getpid());
	return name;
}

/*
 * For file systems without O_TMPFILE, such as NFS. mkstemp(3) is not used, because it may read the
 * time from the vdso, and the step does not expect the vdso's page.
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

/* The caller adds the descriptor to the case's files, or closes it. */
static int agent_file(struct workload *w, size_t pages)
{
	const char *dir = w->private->hello.directory;
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		fd = named_file(w);
	w->private->file_call = fd < 0 ? "open" : "ftruncate";
	if (fd < 0)
		return -1;
	/* The file is one hole. Read faults add clean pages to the page cache. */
	if (ftruncate(fd, (off_t)(pages * w->page_size)) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

int workload_file_or_program(struct workload *w, size_t pages)
{
	int fd = agent_file(w, pages), program;
	struct stat st;

	if (fd >= 0 || errno != EFBIG)
		return fd;
	program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	if (program >= 0 && fstat(program, &st) == 0 &&
	    (uint64_t)st.st_size >= pages * w->page_size)
		return program;
	if (program >= 0)
		close(program);
	errno = EFBIG;
	return -1;
}

int workload_shmem_or_none(const struct workload *w, size_t pages)
{
	int fd = memfd_create("rssck", MFD_CLOEXEC);

	/* A container's filter may forbid memfd_create(2). */
	if (fd < 0)
		fd = open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 && ftruncate(fd, (off_t)(pages * w->page_size)) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool has_pages(const struct workload *w, int fd, size_t pages)
{
	struct stat st;

	return !fstat(fd, &st) && (size_t)st.st_blocks * 512 == pages * w->page_size;
}

/* With shmem_enabled=within_size, only a large file gets large folios. */
bool workload_memfd_of_pages(const struct workload *w)
{
	enum { LARGE = 512, ODD = 5 };
	int fd = workload_shmem_or_none(w, LARGE);
	bool are = fd >= 0 && pwrite(fd, "x", 1, (off_t)w->page_size) == 1 && has_pages(w, fd, 1) &&
		   !ftruncate(fd, 0) && !ftruncate(fd, (off_t)(LARGE * w->page_size)) &&
		   !fallocate(fd, 0, 0, (off_t)(ODD * w->page_size)) && has_pages(w, fd, ODD);

	if (fd >= 0)
		close(fd);
	return are;
}

/* ramfs reports no size (f_blocks is 0); it is assumed to have room. */
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
		workload_die(w, "a file of %zu pages in %s: %s(2): %m; name another --directory",
			     pages, p->hello.directory, p->file_call);
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

/* The options are a list such as "huge=always,size=64k". */
static bool set_options(int context, const char *options)
{
	char text[128], *rest = text, *name;

	if ((size_t)snprintf(text, sizeof(text), "%s", options) >= sizeof(text)) {
		errno = E2BIG;
		return false;
	}
	while ((name = strsep(&rest, ","))) {
		char *value = strchr(name, '=');

		if (value)
			*value++ = '\0';
		if (syscall(SYS_fsconfig, context, value ? FSCONFIG_SET_STRING : FSCONFIG_SET_FLAG,
			    name, value, 0))
			return false;
	}
	return true;
}

/* Keeps errno. */
static void close_context(int context)
{
	int error = errno;

	if (context >= 0)
		close(context);
	errno = error;
}

int workload_mount_nowhere(const char *type, const char *options)
{
	int context = (int)syscall(SYS_fsopen, type, FSOPEN_CLOEXEC), at = -1;

	if (context >= 0 && set_options(context, options) &&
	    !syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		at = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
	close_context(context);
	return at;
}

int workload_tmpfs(const char *options)
{
	return workload_mount_nowhere("tmpfs", options);
}

int workload_tmpfs_file(const char *options)
{
	int at = workload_tmpfs(options), fd = -1;

	if (at >= 0) {
		fd = openat(at, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		close(at);
	}
	return fd;
}

/* A kernel without huge pages for tmpfs refuses the option huge=. */
int workload_tmpfs_of_pages(const char *options)
{
	char more[160];
	int at;

	snprintf(more, sizeof(more), "%s,huge=never", options);
	at = workload_tmpfs(more);
	return at < 0 && errno == EINVAL ? workload_tmpfs(options) : at;
}

bool workload_tmpfs_set(int at, const char *options)
{
	int context = (int)syscall(SYS_fspick, at, "", FSPICK_EMPTY_PATH | FSPICK_CLOEXEC);
	bool done = context >= 0 && set_options(context, options) &&
		    !syscall(SYS_fsconfig, context, FSCONFIG_CMD_RECONFIGURE, NULL, NULL, 0);

	close_context(context);
	return done;
}

/*
 * True for an overlayfs mounted "volatile" (newer kernels: "fsync=volatile"): fsync(2) does nothing
 * there.
 */
static bool mounted_volatile(int fd)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	char line[8192], device[64] = "";
	struct stat st;
	bool found = false;

	if (fstat(fd, &st) == 0)
		snprintf(device, sizeof(device), " %u:%u ", major(st.st_dev), minor(st.st_dev));
	while (f && !found && fgets(line, sizeof(line), f))
		found = *device && strstr(line, device) &&
			(strstr(line, ",volatile") || strstr(line, ",fsync=volatile"));
	if (f)
		fclose(f);
	return found;
}

/* ramfs has no backing store, and a volatile overlayfs ignores fsync(2). */
static bool workload_file_is_written_back(const struct workload *w, int fd)
{
	struct statfs fs;

	(void)w;
	return fstatfs(fd, &fs) == 0 && (unsigned)fs.f_type != RAMFS_MAGIC &&
	       ((unsigned)fs.f_type != OVERLAYFS_SUPER_MAGIC || !mounted_volatile(fd));
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

/* FUSE has rules of its own for keeping and cleaning a file's pages. */
static bool file_is_fuse(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && (unsigned)fs.f_type == FUSE_SUPER_MAGIC;
}

static const char *writes_early(int fd)
{
	struct statvfs fs;
	int flags = 0;

	/* A new file may inherit chattr +S from its directory. */
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 && flags & FS_SYNC_FL)
		return "a file system that writes back later (chattr +S makes this folder's files "
		       "synchronous)";
	if (file_is_fuse(fd))
		return "a file system that writes back later (this is FUSE)";
	if (fstatvfs(fd, &fs) == 0 && fs.f_flag & ST_SYNCHRONOUS)
		return "a file system that writes back later (this is mounted sync)";
	return NULL;
}

void workload_needs_lazy_writes(struct workload *w, int fd)
{
	if (writes_early(fd))
		workload_skip_step(w, "%s", writes_early(fd));
}

void workload_case_needs_lazy_writes(struct workload *w, int fd)
{
	if (writes_early(fd))
		workload_skip(w, "%s", writes_early(fd));
}

void workload_case_needs_kept_cache(struct workload *w, int fd)
{
	if (file_is_fuse(fd))
		workload_skip(w, "a file system that keeps what it has read (this is FUSE, which "
				 "drops a file's page cache when the file is truncated)");
}

/* mincore(2) reports the page cache where the mapping's page table is empty. */
size_t workload_cached_at_once(struct workload *w)
{
	enum { MOST = 64 };
	unsigned char in_core[MOST] = { 1 };
	size_t bytes = MOST * w->page_size, nr = 0;
	int fd = agent_file(w, MOST);
	void *p = fd < 0 ? NULL : workload_try_map(bytes, PROT_READ, MAP_SHARED, fd);

	if (p) {
		/* If posix_fadvise(2) fails, a read fault loads the page. */
		if (posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM) == 0)
			in_core[0] = pread(fd, workload_buffer, 1, 0) == 1;
		else if (madvise(p, bytes, MADV_RANDOM) == 0)
			touch_read(w, p, 1);
		if (mincore(p, bytes, in_core) < 0)
			in_core[0] = 0;
		while (nr < MOST && in_core[nr] & 1)
			nr++;
		munmap(p, bytes);
	}
	if (fd >= 0)
		close(fd);
	return nr ? nr : 1;
}

void workload_case_needs_single_pages(struct workload *w)
{
	size_t at_once = workload_cached_at_once(w);

	if (at_once > 1)
		workload_skip(w,
			      "a file system that caches single pages (here one access brings in "
			      "at least %zu kB)",
			      at_once * w->page_size / 1024);
}

/* posix_fadvise(2) may be forbidden by a filter, or missing (CONFIG_ADVISE_SYSCALLS=n). */
static void advise(struct workload *w, int fd, int advice)
{
	int error = posix_fadvise(fd, 0, 0, advice);

	if (error)
		workload_skip(w, "posix_fadvise(2): %s", strerror(error));
}

static const char no_writeback
	[] = "a file system that writes back (this is ramfs, or overlayfs mounted volatile)";

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

int workload_try_file_uncached(struct workload *w, size_t pages)
{
	int fd = workload_file(w, pages);

	if (!workload_file_is_written_back(w, fd)) {
		close(fd);
		w->private->nr_files--; /* workload_file() added it last */
		return -1;
	}
	fsync(fd);
	advise(w, fd, POSIX_FADV_DONTNEED);
	return fd;
}

int workload_file_uncached(struct workload *w, size_t pages)
{
	int fd = workload_try_file_uncached(w, pages);

	if (fd < 0)
		workload_skip(w, "%s", no_writeback);
	return fd;
}

void workload_cache(struct workload *w, int fd, size_t pages)
{
	char byte;

	advise(w, fd, POSIX_FADV_RANDOM);
	for (size_t i = 0; i < pages; i++)
		if (pread(fd, &byte, 1, (off_t)(i * w->page_size)) != 1)
			workload_die(w, "pread of a file that was just made: %s", strerror(errno));
}

void *workload_map_text(struct workload *w, int fd, size_t pages)
{
	size_t bytes = pages * w->page_size;
	void *p = workload_try_map(bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd);

	if (!p)
		workload_skip(
			w,
			"an executable mapping of a file: %s (if --directory is mounted noexec, name another)",
			strerror(errno));
	workload_remember(w, p, bytes);
	return p;
}
