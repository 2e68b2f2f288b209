// SPDX-License-Identifier: MIT
/* Finds the largest holders of each kind of memory. */
#include "holders.h"
#include "base/kernel_file.h"
#include "base/memory.h"
#include "base/process/list.h"
#include "met.h"
#include "walk.h"
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif

/* Returns the unread data in a pipe, rounded up to whole pages, in kB. */
static int64_t pipe_kb(int pidfd, int number, int64_t page_kb)
{
	int fd = (int)syscall(SYS_pidfd_getfd, pidfd, number, 0), bytes = 0;
	int64_t page = page_kb * 1024;

	if (fd < 0)
		return 0;
	if (ioctl(fd, FIONREAD, &bytes))
		bytes = 0;
	close(fd);
	return (bytes + page - 1) / page * page_kb;
}

struct walk {
	struct memory_holders *h;
	struct met *pipes, *files;
	int64_t page_kb;
	char who[64]; /* the name of the current process: "redis (123)" */
	int64_t piped;
};

static void open_path(struct walk *w, int pidfd, int number, const char *path)
{
	int fd = pidfd < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, pidfd, number, 0);

	if (fd < 0)
		return;
	walk_file(w->h, fd, path, ", open", w->page_kb);
	close(fd);
}

static void open_file(struct walk *w, int folder, const char *number, int pidfd)
{
	char target[1024] = "", name[1152];
	ssize_t n = readlinkat(folder, number, target, sizeof(target) - 1);
	struct stat s;

	if (n < 0)
		return;
	target[n] = '\0';
	if (!strncmp(target, "pipe:[", 6)) {
		if (pidfd >= 0 && met_add(w->pipes, strtoull(target + 6, NULL, 10)))
			w->piped += pipe_kb(pidfd, atoi(number), w->page_kb);
	} else if (!strncmp(target, "/memfd:", 7)) {
		target[strcspn(target, " ")] = '\0';
		snprintf(name, sizeof(name), "%s of %s", target + 1, w->who);
		if (fstatat(folder, number, &s, 0) == 0 && met_add(w->files, s.st_ino))
			holders_add(w->h, HELD_SHMEM, name, s.st_blocks / 2);
	} else if (target[0] == '/') {
		open_path(w, pidfd, atoi(number), target);
	}
}

static void open_files(struct walk *w, pid_t pid)
{
	char path[64];
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	d = opendir(path);
	w->h->unseen += !d;
	w->piped = 0;
	while (d && (e = readdir(d)))
		if (isdigit((unsigned char)e->d_name[0]))
			open_file(w, dirfd(d), e->d_name, pidfd);
	if (d)
		closedir(d);
	if (pidfd >= 0)
		close(pidfd);
	if (w->piped)
		holders_add(w->h, HELD_PIPES, w->who, w->piped);
}

/*
 * Assumes that an io_uring ring is one compound page, so that its number of pages is a power of
 * two.
 */
static int64_t rounded_up(int64_t kb)
{
	int64_t up = 4;

	while (up < kb)
		up *= 2;
	return up;
}

/* Returns the size of the mapped rings in kB. Only io_uring rounds up. */
static int64_t rings_kb(struct text *t, pid_t pid)
{
	static const char *const names[] = { "[io_uring]", "[perf_event]", "socket:[" };
	int64_t kb = 0;

	if (text_read(t, pid, "maps"))
		return 0;
	for (const char *line = t->data; *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");
		uint64_t start, end;

		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			if (memmem(line, len, names[i], strlen(names[i])) &&
			    sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) == 2)
				kb += i ? (int64_t)(end - start) / 1024
					: rounded_up((int64_t)(end - start) / 1024);
		line += len;
	}
	return kb;
}

static void process(struct walk *w, struct text *t, pid_t pid, int64_t stack_kb)
{
	static const struct {
		enum held_kind kind;
		const char *field;
	} fields[] = { { HELD_ANON, "RssAnon" },
		       { HELD_PGTABLE, "VmPTE" },
		       { HELD_SHMEM_MAPPED, "RssShmem" },
		       { HELD_HUGETLB, "HugetlbPages" } };
	char name[32] = "?";

	if (text_read(t, pid, "status"))
		return;
	sscanf(t->data, "Name: %31[^\n]", name);
	snprintf(w->who, sizeof(w->who), "%s (%d)", name, (int)pid);
	w->h->processes++;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		holders_add(w->h, fields[i].kind, w->who,
			    kernel_number_in(t->data, fields[i].field, 0));
	holders_add(w->h, HELD_STACKS, w->who, kernel_number_in(t->data, "Threads", 0) * stack_kb);
	if (!strstr(t->data, "\nVmRSS:"))
		return; /* kernel threads and zombies have no VmRSS */
	holders_add(w->h, HELD_RINGS, w->who, rings_kb(t, pid));
	open_files(w, pid);
}

static void mounts(struct memory_holders *h)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct met *met = met_begin();
	struct mntent *m;
	char name[96];

	while (f && (m = getmntent(f))) {
		struct statvfs v;
		struct stat s;

		if (strcmp(m->mnt_type, "tmpfs") || statvfs(m->mnt_dir, &v) ||
		    stat(m->mnt_dir, &s) || !met_add(met, s.st_dev))
			continue;
		snprintf(name, sizeof(name), "tmpfs on %s", m->mnt_dir);
		holders_add(h, HELD_SHMEM, name,
			    (int64_t)((v.f_blocks - v.f_bfree) * v.f_frsize / 1024));
	}
	if (f)
		endmntent(f);
	met_free(met);
}

/*
 * The columns of /proc/sysvipc/shm: "key shmid perms size cpid lpid nattch uid gid cuid cgid atime
 * dtime ctime rss swap".
 */
static void segments(struct memory_holders *h, const char *text)
{
	int64_t id, cpid, attached, rss;
	char name[96];

	for (const char *line = text; *line; line += *line == '\n') {
		if (sscanf(line,
			   "%*d %" SCNd64 " %*o %*u %" SCNd64 " %*d %" SCNd64
			   " %*u %*u %*u %*u %*u %*u %*u %" SCNd64,
			   &id, &cpid, &attached, &rss) == 4) {
			snprintf(name, sizeof(name),
				 "SysV segment %" PRId64 ", made by process %" PRId64
				 ", attached %" PRId64 " times",
				 id, cpid, attached);
			holders_add(h, HELD_SHMEM, name, rss / 1024);
		}
		line += strcspn(line, "\n");
	}
}

/*
 * SLAB_RECLAIM_ACCOUNT decides which counter includes the pages of the cache
 * (reclaim_account_show(), mm/slub.c).
 */
static enum held_kind slab_kind(const char *cache)
{
	char path[128], answer[2] = "";
	int fd;

	snprintf(path, sizeof(path), "/sys/kernel/slab/%s/reclaim_account", cache);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return HELD_NONE;
	if (read(fd, answer, 1) != 1)
		answer[0] = '\0';
	close(fd);
	return answer[0] == '1' ? HELD_SLAB_RECLAIMABLE : answer[0] == '0' ? HELD_SLAB : HELD_NONE;
}

static void holders_slab(struct memory_holders *h, const char *slabinfo, int64_t page_kb)
{
	int64_t pages, slabs;
	enum held_kind kind;
	char name[64];

	for (const char *line = slabinfo; *line; line += *line == '\n') {
		const char *data = strstr(line, ": slabdata");

		if (data && sscanf(line, "%63s %*d %*d %*d %*d %" SCNd64, name, &pages) == 2 &&
		    sscanf(data, ": slabdata %*d %" SCNd64, &slabs) == 1 &&
		    (kind = slab_kind(name)) != HELD_NONE)
			holders_add(h, kind, name, pages * slabs * page_kb);
		line += strcspn(line, "\n");
	}
}

/* holders_vmalloc() leaves out the stacks of threads, because HELD_STACKS counts them. */
static bool makes_stacks(const char *caller)
{
	static const char *const callers[] = { "kernel_clone", "copy_process", "fork_idle",
					       "dup_task_struct", "alloc_thread_stack_node" };

	for (size_t i = 0; i < sizeof(callers) / sizeof(*callers); i++)
		if (!strncmp(caller, callers[i], strlen(callers[i])))
			return true;
	return false;
}

static int by_caller(const void *a, const void *b)
{
	return strcmp(((const char *)a), ((const char *)b));
}

void holders_vmalloc(struct memory_holders *h, const char *vmallocinfo, int64_t page_kb)
{
	enum { LENGTH = 64 };
	struct area {
		char caller[LENGTH];
		int64_t kb;
	} *of = NULL;
	size_t nr = 0;

	for (const char *line = vmallocinfo; *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");
		const char *pages = memmem(line, len, " pages=", 7);
		struct area one;

		if (pages && memmem(line, len, " vmalloc", 8) &&
		    sscanf(line, "%*s %*s %63[^+ ]", one.caller) == 1 &&
		    !makes_stacks(one.caller)) {
			one.kb = strtoll(pages + 7, NULL, 10) * page_kb;
			of = memory_one_more(of, nr, sizeof(*of), "vmalloc areas");
			of[nr++] = one;
		}
		line += len;
	}
	if (nr)
		qsort(of, nr, sizeof(*of), by_caller);
	for (size_t i = 0, k; i < nr; i = k) {
		int64_t kb = 0;

		for (k = i; k < nr && !strcmp(of[i].caller, of[k].caller); k++)
			kb += of[k].kb;
		holders_add(h, HELD_VMALLOC, of[i].caller, kb);
	}
	free(of);
}

/* A line of /proc/net/sockstat: "TCP: inuse 5 orphan 0 tw 0 alloc 7 mem 12". "mem" is in pages. */
static void sockets(struct memory_holders *h, const char *text, int64_t page_kb)
{
	char name[32];
	const char *mem;

	for (const char *line = text; *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		mem = memmem(line, len, " mem ", 5);
		if (mem && sscanf(line, "%31[^:]", name) == 1)
			holders_add(h, HELD_SOCKETS, name, strtoll(mem + 5, NULL, 10) * page_kb);
		line += len;
	}
}

static void processes(struct memory_holders *h, struct text *t, int64_t page_kb, int64_t stack_kb)
{
	struct walk w = { .h = h, .page_kb = page_kb, .pipes = met_begin(), .files = met_begin() };
	size_t nr = 0;
	pid_t *pids;

	if (processes_list(&pids, &nr) < 0)
		pids = NULL;
	for (size_t i = 0; i < nr; i++) {
		h->pid = pids[i];
		process(&w, t, pids[i], stack_kb);
	}
	h->pid = 0;
	free(pids);
	met_free(w.pipes);
	met_free(w.files);
}

/*
 * Counts each mapped file once. A line of maps: "7f1-7f2 r--p 0 fe:00 123 /lib/x". The link in
 * /proc/PID/map_files has the address range as its name.
 */
static void mapped_files(struct memory_holders *h, struct text *t, pid_t pid, int64_t page_kb)
{
	uint64_t start, end, inode, last = 0;
	char path[96];

	if (text_read(t, pid, "maps"))
		return;
	for (char *line = t->data, *to; *line; line = *to ? to + 1 : to) {
		const char *name;
		int fd;

		to = line + strcspn(line, "\n");
		name = memchr(line, '/', (size_t)(to - line));
		if (!name ||
		    sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*x %*s %" SCNu64, &start, &end,
			   &inode) != 3 ||
		    inode == last)
			continue;
		last = inode;
		snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)pid,
			 start, end);
		fd = open(path, O_RDONLY | O_NOATIME | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			continue;
		snprintf(path, sizeof(path), "%.*s", (int)(to - name), name);
		walk_file(h, fd, path, "", page_kb);
		close(fd);
	}
}

void holders_files_of(struct memory_holders *h, struct text *t, pid_t pid, int64_t page_kb)
{
	struct walk w = { .h = h, .page_kb = page_kb, .pipes = met_begin(), .files = met_begin() };

	open_files(&w, pid);
	mapped_files(h, t, pid, page_kb);
	met_free(w.pipes);
	met_free(w.files);
}

void holders_find(struct memory_holders *h, struct text *t, int64_t page_kb, int64_t stack_kb,
		  const char *folder)
{
	holders_free(h);
	holders_begin(h);
	processes(h, t, page_kb, stack_kb);
	h->walked = folder;
	if (folder)
		walk_files(h, folder, page_kb);
	walk_file_systems(h, page_kb);
	mounts(h);
	if (text_read(t, 0, "/proc/sysvipc/shm") == 0)
		segments(h, t->data);
	if (text_read(t, 0, "/proc/slabinfo") == 0)
		holders_slab(h, t->data, page_kb);
	if (text_read(t, 0, "/proc/vmallocinfo") == 0)
		holders_vmalloc(h, t->data, page_kb);
	if (text_read(t, 0, "/proc/net/sockstat") == 0)
		sockets(h, t->data, page_kb);
}
