// SPDX-License-Identifier: MIT
#include "kmsg.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* In some containers /dev/kmsg is another device: a console, or one that never ends. */
static bool is_the_log(int fd)
{
	enum { MEMORY_DEVICES = 1, KMSG = 11 }; /* Documentation/admin-guide/devices.txt */
	struct stat s;

	return fstat(fd, &s) == 0 && S_ISCHR(s.st_mode) && major(s.st_rdev) == MEMORY_DEVICES &&
	       minor(s.st_rdev) == KMSG;
}

int kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	/* Skip older records, because rssck did not cause them. */
	if (fd >= 0 && (!is_the_log(fd) || lseek(fd, 0, SEEK_END) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

bool kmsg_next(int fd, char record[KMSG_RECORD])
{
	ssize_t n;

	/* EPIPE: the kernel overwrote unread records; the next read returns the oldest one left. */
	do
		n = read(fd, record, KMSG_RECORD - 1);
	while (n < 0 && (errno == EINTR || errno == EPIPE));
	if (n == 0)
		errno = ENODATA;
	if (n <= 0)
		return false;
	record[n] = '\0';
	return true;
}
