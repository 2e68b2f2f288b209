// SPDX-License-Identifier: MIT
/*
 * Reads the kernel log. kernel/fork.c check_mm() prints "BUG: Bad rss-counter state" if a counter
 * of an mm is not zero when the mm is dropped.
 */
#include "log.h"
#include "base/cpus.h"
#include "base/kmsg.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum {
	TICK_MS = 10,
	TICKS = 20, /* ticks to wait for the last lines of a complaint */
};

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

static bool next_record(int fd, char *record, int *ticks)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (!kmsg_next(fd, record)) {
		if (errno != EAGAIN || *ticks == 0)
			return false;
		--*ticks;
		poll(&p, 1, TICK_MS);
	}
	return true;
}

void log_read(int fd, pid_t leader, struct log_news *news)
{
	struct complaint c = { .open = false };
	char record[KMSG_RECORD];
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
