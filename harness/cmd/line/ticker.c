// SPDX-License-Identifier: MIT
/* One line on a terminal. */
#include "ticker.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void ticker_open(struct ticker *t)
{
	*t = (struct ticker) { .fd = -1 };
	if (isatty(STDERR_FILENO))
		t->fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
}

void ticker_clear(struct ticker *t)
{
	if (t->shown)
		dprintf(t->fd, "\r\033[K");
	t->shown = false;
}

void ticker_show(struct ticker *t, const char *format, ...)
{
	char line[80]; /* cut off: a line that wraps cannot be cleared */
	va_list args;

	if (t->fd < 0)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	dprintf(t->fd, "\r\033[K%s", line);
	t->shown = true;
}

void ticker_close(struct ticker *t)
{
	ticker_clear(t);
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}
