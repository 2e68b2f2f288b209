// SPDX-License-Identifier: MIT
/* System V memory that SHM_LOCK locks. */
#ifndef CASES_MACHINE_SEGMENT_H
#define CASES_MACHINE_SEGMENT_H

#include <rssck/case.h>

static int segment;

/* Maps a segment, which is freed with its last mapping. Returns NULL with errno on an error. */
static inline char *segment_map(size_t bytes, const void *at)
{
	char *p = (char *)-1;

	segment = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
	if (segment >= 0)
		p = shmat(segment, at, 0);
	if (p == (char *)-1)
		return NULL;
	shmctl(segment, IPC_RMID, NULL);
	return p;
}

/* Pages that are touched when the segment is locked are unevictable, but not Mlocked. */
static inline char *segment_lock(const struct workload *w, char *p, size_t bytes, int advice)
{
	if (!p)
		return NULL;
	syscall(SYS_madvise, p, bytes, advice);
	if (shmctl(segment, SHM_LOCK, NULL))
		return NULL;
	touch_write(w, p, bytes / w->page_size);
	return p;
}

static inline char *segment_map_locked(const struct workload *w, size_t bytes)
{
	return segment_lock(w, segment_map(bytes, NULL), bytes, MADV_NOHUGEPAGE);
}

/* The kernel makes huge pages for a segment only if this setting allows it. */
#define SEGMENT_HUGE "/sys/kernel/mm/transparent_hugepage/shmem_enabled"

static inline char *segment_map_locked_huge(const struct workload *w, size_t bytes)
{
	size_t huge = w->huge_page_size;
	char *p = workload_try_aligned_map(bytes, huge, -1);
	char text[64], was[16] = "never";

	if (!p)
		return NULL;
	munmap(p, bytes);
	workload_read_text(SEGMENT_HUGE, text, sizeof(text));
	if (strchr(text, '['))
		sscanf(strchr(text, '['), "[%15[a-z_]", was);
	if (!workload_try_to_set(SEGMENT_HUGE, "advise"))
		return NULL;
	p = segment_lock(w, segment_map(bytes, p), bytes, MADV_HUGEPAGE);
	workload_try_to_set(SEGMENT_HUGE, was);
	return p;
}

static inline bool segment_unlock(void)
{
	return shmctl(segment, SHM_UNLOCK, NULL) == 0;
}

#endif
