// SPDX-License-Identifier: MIT
/* Waits for events that the kernel or another process causes later. */
#include "agent.h"
#include "base/clock.h"
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { LONGEST_US = 20000 };

/* Pauses grow from 1 ms to 20 ms, so that a quick event is noticed soon. */
bool workload_pause(struct patience *p)
{
	int64_t now = now_ms();

	if (!p->until)
		p->until = now + p->seconds * 1000;
	if (now >= p->until)
		return false;
	p->pause_us = p->pause_us ? 2 * p->pause_us : 1000;
	if (p->pause_us > LONGEST_US)
		p->pause_us = LONGEST_US;
	usleep(p->pause_us);
	return true;
}

void workload_wait(struct workload *w, struct patience *p, const char *format, ...)
{
	char what[200];
	va_list args;

	if (workload_pause(p))
		return;
	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	workload_skip(w, "%s in %u s", what, p->seconds);
}
