// SPDX-License-Identifier: MIT
/*
 * One line on a terminal that says what the machine does; nothing elsewhere.
 */
#ifndef RSSCK_VM_PROGRESS_H
#define RSSCK_VM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
	bool shown;
	double shown_at;
	char last[80]; /* the last whole line of the guest's text */
};

void progress_text(struct progress *p, const char *text, size_t length);
void progress_show(struct progress *p, bool booted, double seconds);
void progress_clear(struct progress *p);

#endif
