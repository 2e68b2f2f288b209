// SPDX-License-Identifier: MIT
/* System V memory that SHM_LOCK locks. */
#ifndef CASES_MACHINE_SEGMENT_H
#define CASES_MACHINE_SEGMENT_H

#include <rssck/case.h>
#include <sys/shm.h>

static int segment;

/*
 * Maps a segment that is locked before it is touched: its pages are then unevictable, but not
 * Mlocked. The segment is freed with its last mapping. Returns NULL with errno on an error.
 */
static inline char *segment_map_locked(const struct workload *w, size_t bytes)
{
	char *p = (char *)-1;

	segment = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
	if (segment >= 0)
		p = shmat(segment, NULL, 0);
	if (p == (char *)-1)
		return NULL;
	shmctl(segment, IPC_RMID, NULL);
	syscall(SYS_madvise, p, bytes, MADV_NOHUGEPAGE);
	if (shmctl(segment, SHM_LOCK, NULL))
		return NULL;
	for (size_t at = 0; at < bytes; at += w->page_size)
		p[at] = 1;
	return p;
}

static inline bool segment_unlock(void)
{
	return shmctl(segment, SHM_UNLOCK, NULL) == 0;
}

#endif
