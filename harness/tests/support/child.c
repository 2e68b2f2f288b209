// SPDX-License-Identifier: MIT
#include "child.h"
#include "base/clock.h"
#include <errno.h>

enum { LIMIT_MS = 60000 };

int adopt_orphans(void **state)
{
	(void)state;
	return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

unsigned assert_nobody_left(void)
{
	int64_t until = now_ms() + LIMIT_MS;
	unsigned n = 0;

	for (;;) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);

		if (pid > 0)
			n++;
		if (pid < 0 && errno == ECHILD)
			return n;
		if (now_ms() > until)
			fail_msg("a child is alive a minute after its end");
		if (pid == 0)
			usleep(1000);
	}
}
