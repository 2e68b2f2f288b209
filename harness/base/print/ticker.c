// SPDX-License-Identifier: MIT
/* Shows a progress line on a terminal. */
#include "ticker.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
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
	char line[80]; /* a longer line is cut off, because a line that wraps cannot be cleared */
	struct winsize size = { .ws_col = 0 };
	size_t room = sizeof(line);
	va_list args;

	if (t->fd < 0)
		return;
	if (!ioctl(t->fd, TIOCGWINSZ, &size) && size.ws_col && size.ws_col < room)
		room = size.ws_col;
	va_start(args, format);
	vsnprintf(line, room, format, args);
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
