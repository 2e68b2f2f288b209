// SPDX-License-Identifier: MIT
/*
 * Writes the progress line.
 */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void progress_text(struct progress *p, const char *text, size_t length)
{
	const char *stop = text + length, *start;

	while (stop > text && stop[-1] == '\n')
		stop--;
	for (start = stop; start > text && start[-1] != '\n'; start--)
		;
	snprintf(p->last, sizeof(p->last), "%.*s", (int)(stop - start), start);
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
