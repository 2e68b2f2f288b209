// SPDX-License-Identifier: MIT
/* The largest holders of each kind of memory: processes, slab caches, callers of vmalloc(), mounts.
 */
#ifndef RSSCK_MACHINE_HOLDERS_H
#define RSSCK_MACHINE_HOLDERS_H

#include <rssck/source.h>
#include <stdint.h>

enum held_kind {
	HELD_ANON,             /* RssAnon */
	HELD_PGTABLE,          /* VmPTE */
	HELD_HUGETLB,          /* HugetlbPages */
	HELD_STACKS,           /* threads x the size of a stack */
	HELD_SHMEM,            /* a memfd, a tmpfs, a SysV segment: whether it is mapped or not */
	HELD_PIPES,            /* what waits in pipes */
	HELD_SOCKETS,          /* what /proc/net/sockstat has, and unix sockets */
	HELD_RINGS,            /* mappings of io_uring, and of packet sockets and perf events */
	HELD_SLAB,             /* of a cache that cannot shrink */
	HELD_SLAB_RECLAIMABLE, /* of a cache that can */
	HELD_VMALLOC,          /* of a caller */
	HELD_CACHE,            /* an open file, by cachestat(2) */
	HELD_KINDS,
};

struct holders {
	struct {
		char name[96]; /* of the largest holder; "": none was seen */
		int64_t kb;    /* that it has */
		int64_t all;   /* of all that were seen */
	} of[HELD_KINDS];
	size_t processes, unseen; /* unseen: those whose descriptors may not be read */
};

/* Look at all processes and files that show it. page_kb: of a page. */
void holders_find(struct holders *h, struct text *t, int64_t page_kb, int64_t stack_kb);

/* Parsers of files, for holders_find() and its tests. */
void holders_slab(struct holders *h, const char *slabinfo, int64_t page_kb);
void holders_vmalloc(struct holders *h, const char *vmallocinfo, int64_t page_kb);

/* One more holder with so much. */
void holders_add(struct holders *h, enum held_kind k, const char *name, int64_t kb);

#endif
