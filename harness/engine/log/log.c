// SPDX-License-Identifier: MIT
/*
 * Reads the kernel log. kernel/fork.c check_mm() prints "BUG: Bad rss-counter state" if a counter
 * of an mm is not zero when the mm is dropped.
 */
#include "log.h"
#include "base/cpus.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum {
	RECORD_MAX = 8192, /* CONSOLE_EXT_LOG_MAX of kernel/printk; with a smaller buffer a long
			      record cannot be read (EINVAL) */
	TICK_MS = 10,
	TICKS = 20, /* how long to wait for the last lines of a complaint */
};

/*
 * False if /dev/kmsg is another device, as in some containers: a console, or one that never ends.
 */
static bool is_the_log(int fd)
{
	enum { MEMORY_DEVICES = 1, KMSG = 11 }; /* Documentation/admin-guide/devices.txt */
	struct stat s;

	return fstat(fd, &s) == 0 && S_ISCHR(s.st_mode) && major(s.st_rdev) == MEMORY_DEVICES &&
	       minor(s.st_rdev) == KMSG;
}

int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	/* Skip the records from before this moment, because rssck did not cause them. */
	if (fd >= 0 && (!is_the_log(fd) || lseek(fd, 0, SEEK_END) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/*
 * True if our PIDs are those of the initial PID namespace, which the kernel prints. In a container
 * they differ.
 */
static bool pids_are_the_kernels(void)
{
	char link[64] = "";

	/* include/linux/proc_ns.h: PROC_PID_INIT_INO */
	return readlink("/proc/self/ns/pid", link, sizeof(link) - 1) > 0 &&
	       !strcmp(link, "pid:[4026531836]");
}

static void keep(struct log_news *news, struct complaint *c)
{
	char *line = c->about == COMPLAINT_OTHERS ? news->others : news->complaint;

	if (!c->line[0])
		return;
	news->nr_others += c->about == COMPLAINT_OTHERS;
	if (!line[0])
		memcpy(line, c->line, sizeof(c->line));
	*c = (struct complaint) { .open = false };
}

/*
 * Reads the next record into `record`. Waits at most *ticks ticks, and returns false if there is
 * none.
 */
static bool next_record(int fd, char *record, int *ticks)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	for (;;) {
		ssize_t n = read(fd, record, RECORD_MAX - 1);

		/*
		 * EPIPE: the kernel overwrote unread records; the next read returns the oldest one
		 * left.
		 */
		if (n < 0 && (errno == EINTR || errno == EPIPE))
			continue;
		if (n > 0) {
			record[n] = '\0';
			return true;
		}
		if (n == 0 || errno != EAGAIN || *ticks == 0)
			return false;
		--*ticks;
		poll(&p, 1, TICK_MS);
	}
}

void log_read(int fd, pid_t leader, struct log_news *news)
{
	struct complaint c = { .open = false };
	char record[RECORD_MAX];
	int none = 0, ticks = TICKS;

	*news = (struct log_news) { .nr_others = 0 };
	if (fd < 0)
		return;
	if (!pids_are_the_kernels())
		leader = 0;
	/* Wait for the rest of a complaint, because a later line may name our process. */
	while (next_record(fd, record, c.open && c.about == COMPLAINT_OTHERS ? &ticks : &none)) {
		struct complaint before = c;

		if (complaint_take(&c, record, leader) == COMPLAINT_BEGINS)
			keep(news, &before);
		else if (!c.open)
			keep(news, &c);
	}
	keep(news, &c);
}

void log_make_cpus_drop_mm(const int *cpus, unsigned nr_cpus)
{
	struct cpu_mask before;

	if (cpus_now(&before) < 0)
		return;
	for (unsigned i = 0; i < nr_cpus; i++)
		cpus_keep_to_one(cpus[i]);
	cpus_keep_to(&before);
}
