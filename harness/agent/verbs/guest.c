// SPDX-License-Identifier: MIT
/*
 * Verbs that change the machine's settings, and put them back: a guest of rssck vm alone
 * does that. Elsewhere they are refused.
 */
#include "verbs.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/swap.h>
#include <unistd.h>

/* As harness/vm has it. */
#define GUEST_MARKER "/rssck-guest"

bool act_is_in_guest(struct worker *k)
{
	errno = EPERM;
	if (access(GUEST_MARKER, F_OK) == 0 && geteuid() == 0)
		return true;
	errno = EPERM;
	act_result(k, -1);
	return false;
}

static size_t read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n > 0 ? (size_t)n : 0;
}

/* Everything comes back to memory; then the swap is there again, empty. */
void verb_swapoff(struct worker *k, const struct act *a)
{
	static char text[2048];
	char *rest = text, *line;

	(void)a;
	if (!act_is_in_guest(k))
		return;
	read_file("/proc/swaps", text, sizeof(text));
	strsep(&rest, "\n");
	while ((line = strsep(&rest, "\n")) && *line) {
		line[strcspn(line, " \t")] = '\0';
		act_result(k, swapoff(line));
		if (!k->outcome.error)
			act_result(k, swapon(line, 0));
	}
}
