// SPDX-License-Identifier: MIT
/*
 * Writes the progress line.
 */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Without its colours: the line may be cut off anywhere. */
static void line_keep(struct progress *p, const char *from, const char *stop)
{
	size_t used = 0;

	while (from < stop && used + 1 < sizeof(p->last)) {
		const char *end = *from == '\033' ? memchr(from, 'm', stop - from) : NULL;

		if (!end)
			p->last[used++] = *from;
		from = end ? end + 1 : from + 1;
	}
	p->last[used] = '\0';
}

void progress_text(struct progress *p, const char *text, size_t length)
{
	const char *stop = text + length, *start;

	while (stop > text && stop[-1] == '\n')
		stop--;
	for (start = stop; start > text && start[-1] != '\n'; start--)
		;
	line_keep(p, start, stop);
}

void progress_show(struct progress *p, bool booted, double seconds)
{
	if (!isatty(STDERR_FILENO) || (p->shown && seconds - p->shown_at < 0.2))
		return;
	fprintf(stderr, "\r\033[K%5.1f s  %s", seconds,
		!booted      ? "booting"
		: p->last[0] ? p->last
			     : "checking");
	fflush(stderr);
	p->shown = true;
	p->shown_at = seconds;
}

void progress_clear(struct progress *p)
{
	if (!p->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	p->shown = false;
}
