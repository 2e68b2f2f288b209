// SPDX-License-Identifier: MIT
/* Reads /proc/buddyinfo: "Node 0, zone Normal 4 2 1 ...", the free blocks of each order of a zone.
 */
#ifndef CASES_MACHINE_BUDDYINFO_H
#define CASES_MACHINE_BUDDYINFO_H

#include <rssck/case.h>

/*
 * Sets the node of the line at `at`, and the pages in the zone's free blocks. Returns the next
 * line, or NULL if this is no line of buddyinfo.
 */
static inline char *buddyinfo_next(char *at, int *node, int64_t *pages)
{
	int skipped = 0;

	*pages = 0;
	if (sscanf(at, "Node %d, zone %*s%n", node, &skipped) != 1 || !skipped)
		return NULL;
	at += skipped;
	for (int order = 0; *at && *at != '\n'; order++) {
		*pages += strtoll(at, &at, 10) << order;
		at += strspn(at, " ");
	}
	return at + (*at == '\n');
}

#endif
