// SPDX-License-Identifier: MIT
/*
 * Uses userfaultfd(2): the step itself provides missing pages, write-protects pages, or moves them.
 */
#include "agent.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* From <linux/userfaultfd.h> of 5.11. Without it the kernel may refuse an unprivileged caller. */
enum { USER_MODE_ONLY = 1 };

/* From <linux/userfaultfd.h> of 6.8. */
struct move {
	uint64_t dst, src, len, mode;
	int64_t moved;
};

#define MOVE _IOWR(UFFDIO, 0x05, struct move)

/* From <linux/userfaultfd.h> of 5.13. */
struct resume {
	struct uffdio_range range;
	uint64_t mode;
	int64_t mapped;
};

#define CONTINUE _IOWR(UFFDIO, 0x07, struct resume)

static int open_it(void)
{
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | USER_MODE_ONLY);

	return fd < 0 && errno == EINVAL ? (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK)
					 : fd;
}

static int agree_on(int fd, uint64_t features)
{
	struct uffdio_api api = { .api = UFFD_API, .features = features };

	return ioctl(fd, UFFDIO_API, &api);
}

int workload_open_userfaultfd(uint64_t features)
{
	int fd = open_it(), error;

	if (fd < 0 || agree_on(fd, features) >= 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

int workload_register_userfaultfd(int uffd, void *start, size_t bytes, uint64_t mode)
{
	struct uffdio_register area = { .range = { (uintptr_t)start, bytes }, .mode = mode };

	return ioctl(uffd, UFFDIO_REGISTER, &area);
}

enum { CALL_SIZE = 48 };

/* Returns -1 with errno on failure, and writes the call that failed into `call`. */
static int registered(struct workload *w, void *start, size_t bytes, uint64_t mode,
		      uint64_t features, char call[CALL_SIZE])
{
	struct workload_private *p = w->private;
	int fd;

	if (p->nr_files == FILES_MAX)
		workload_die(w, "more than %d files", FILES_MAX);
	snprintf(call, CALL_SIZE, "userfaultfd(2)");
	fd = open_it();
	if (fd < 0)
		return -1;
	p->files[p->nr_files++] = fd;
	snprintf(call, CALL_SIZE, "UFFDIO_API, features %#llx", (unsigned long long)features);
	if (agree_on(fd, features) < 0)
		return -1;
	snprintf(call, CALL_SIZE, "UFFDIO_REGISTER");
	return workload_register_userfaultfd(fd, start, bytes, mode) < 0 ? -1 : fd;
}

int workload_try_userfaultfd(struct workload *w, void *start, size_t bytes, uint64_t mode)
{
	char call[CALL_SIZE];

	return registered(w, start, bytes, mode, 0, call);
}

int workload_userfaultfd(struct workload *w, void *start, size_t bytes, uint64_t mode,
			 uint64_t features)
{
	char call[CALL_SIZE];
	int fd = registered(w, start, bytes, mode, features, call);

	if (fd < 0)
		workload_skip(w, "%s: %s", call, strerror(errno));
	return fd;
}

int workload_userfaultfd_protect(int uffd, void *start, size_t bytes, bool protect)
{
	struct uffdio_writeprotect p = { .range = { (uintptr_t)start, bytes },
					 .mode = protect ? UFFDIO_WRITEPROTECT_MODE_WP : 0 };

	return ioctl(uffd, UFFDIO_WRITEPROTECT, &p);
}

int workload_userfaultfd_continue(int uffd, void *start, size_t bytes)
{
	struct resume r = { .range = { (uintptr_t)start, bytes } };

	return ioctl(uffd, CONTINUE, &r);
}

/* Repeats UFFDIO_MOVE after EAGAIN, because the kernel may have a temporary reference to a page. */
void workload_userfaultfd_move(struct workload *w, int uffd, void *to, void *from, size_t bytes)
{
	for (size_t done = 0; done < bytes;) {
		struct move m = { .dst = (uintptr_t)to + done,
				  .src = (uintptr_t)from + done,
				  .len = bytes - done };

		if (ioctl(uffd, MOVE, &m) < 0 && (errno != EAGAIN || m.moved < 0))
			workload_skip(w, "UFFDIO_MOVE (Linux 6.8): %s", strerror(errno));
		done += (size_t)m.moved;
	}
}
