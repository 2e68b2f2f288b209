// SPDX-License-Identifier: MIT
/*
 * The kernel log: mm/fork.c check_mm() prints "BUG: Bad rss-counter state"
 * when an mm is dropped with counters that are not zero.
 */
#include "log.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int log_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* As a word: "DEBUG: " is no BUG. */
static bool holds_word(const char *text, const char *word)
{
	for (const char *at = text; (at = strstr(at, word)); at++)
		if (at == text || !isalnum((unsigned char)at[-1]))
			return true;
	return false;
}

bool log_is_trouble(const char *record)
{
	static const char *const signs[] = { "BUG: ", "Bad rss-counter", "WARNING: " };
	const char *text = strchr(record, ';');

	/*
	 * "priority,sequence,time,flags;text"; continuation lines begin with a space.
	 * A priority above the eight levels has a facility: a program wrote that.
	 */
	if (text && strtoul(record, NULL, 10) > 7)
		return false;
	text = text ? text + 1 : record;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (holds_word(text, signs[i]))
			return true;
	return false;
}

/* "mm:00000000c0ffee00": a hashed pointer, another one after each boot. */
static void mask_pointers(char *record)
{
	for (char *p = record; (p = strstr(p, "mm:"));) {
		p += strlen("mm:");
		size_t digits = strspn(p, "0123456789abcdef");

		if (digits < 8)
			continue;
		*p = '*';
		memmove(p + 1, p + digits, strlen(p + digits) + 1);
	}
}

bool log_find_trouble(int fd, char *line, size_t size)
{
	char record[8192]; /* kernel/printk: CONSOLE_EXT_LOG_MAX; in less a long one is EINVAL */
	bool found = false;

	if (fd < 0)
		return false;
	for (;;) {
		ssize_t n = read(fd, record, sizeof(record) - 1);

		/* EPIPE: the ring went past us; the next read goes on with what is left. */
		if (n < 0 && (errno == EINTR || errno == EPIPE))
			continue;
		if (n <= 0)
			return found;
		record[n] = '\0';
		record[strcspn(record, "\n")] = '\0';
		if (found || !log_is_trouble(record))
			continue;
		found = true;
		mask_pointers(record);
		snprintf(line, size, "%s", strchr(record, ';') ? strchr(record, ';') + 1 : record);
	}
}

void log_make_cpus_drop_mm(const int *cpus, unsigned nr_cpus)
{
	cpu_set_t before, one;

	if (sched_getaffinity(0, sizeof(before), &before) < 0)
		return;
	for (unsigned i = 0; i < nr_cpus; i++) {
		CPU_ZERO(&one);
		CPU_SET(cpus[i], &one);
		sched_setaffinity(0, sizeof(one), &one);
	}
	sched_setaffinity(0, sizeof(before), &before);
}
