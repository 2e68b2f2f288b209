// SPDX-License-Identifier: MIT
/* The lines of /proc/sysvipc/shm (ipc/shm.c sysvipc_shm_proc_show()). */
#ifndef CASES_SHMEM_SYSVIPC_H
#define CASES_SHMEM_SYSVIPC_H

#include <inttypes.h>
#include <rssck/case.h>

struct segment_line {
	int id;
	int64_t size, attached, rss, swap; /* in bytes, but `attached` */
};

/* Reads the next line with numbers. Returns false at the end of the file, or if f is NULL. */
static inline bool segment_line_next(FILE *f, struct segment_line *s)
{
	char line[512];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line,
			   "%*d %d %*o %" SCNd64 " %*d %*d %" SCNd64
			   " %*d %*d %*d %*d %*d %*d %*d %" SCNd64 " %" SCNd64,
			   &s->id, &s->size, &s->attached, &s->rss, &s->swap) == 5)
			return true;
	return false;
}

/* Finds the line of a segment. Returns false if there is none. */
static inline bool segment_line_of(int id, struct segment_line *s)
{
	FILE *f = fopen("/proc/sysvipc/shm", "re");
	bool found = false;

	while (!found && segment_line_next(f, s))
		found = s->id == id;
	if (f)
		fclose(f);
	return found;
}

#endif
