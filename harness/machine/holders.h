// SPDX-License-Identifier: MIT
/* The largest holders of each kind of memory: processes, slab caches, callers of vmalloc(), files.
 */
#ifndef RSSCK_MACHINE_HOLDERS_H
#define RSSCK_MACHINE_HOLDERS_H

#include <jansson.h>
#include <rssck/source.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum held_kind {
	HELD_ANON,             /* RssAnon */
	HELD_PGTABLE,          /* VmPTE */
	HELD_HUGETLB,          /* HugetlbPages */
	HELD_STACKS,           /* number of threads x the size of a stack */
	HELD_SHMEM,            /* a memfd, a tmpfs, a SysV segment, mapped or not */
	HELD_SHMEM_MAPPED,     /* RssShmem */
	HELD_PIPES,            /* data that waits in pipes */
	HELD_SOCKETS,          /* sockets in /proc/net/sockstat, and unix sockets */
	HELD_RINGS,            /* mappings of io_uring, and of packet sockets and perf events */
	HELD_SLAB,             /* a slab cache that cannot shrink */
	HELD_SLAB_RECLAIMABLE, /* a slab cache that can shrink */
	HELD_VMALLOC,          /* of a caller */
	HELD_CACHE,            /* a file that is open or was walked, by cachestat(2) */
	HELD_FILE_SYSTEM,      /* those files by file system */
	HELD_KINDS,
};

enum { HELD_MOST = 10 };

struct held {
	char name[96];
	pid_t pid; /* 0: no process */
	int64_t kb;
};

struct held_list {
	struct held most[HELD_MOST]; /* the largest first */
	size_t nr;                   /* that were seen */
	int64_t all;                 /* kB of all objects that were seen */
};

struct met;

struct memory_holders {
	struct held_list of[HELD_KINDS];
	struct met *files, *by_device; /* owned: the files whose page cache is counted;
					* holders_free() */
	bool walked;                   /* also files that no process has open */
	pid_t pid;                /* holders that are added are this process's; 0: no process */
	size_t processes, unseen; /* unseen: processes whose descriptors may not be read */
};

/* "slab_reclaimable" in JSON; "slabs that can shrink, by cache" for people. */
const char *held_name(enum held_kind k);
const char *held_words(enum held_kind k);

/* Up to `most` of the largest holders: a line each, or as [{ name, pid, kB }]. */
void held_put(const struct held_list *l, size_t most, FILE *out);
json_t *held_json(const struct held_list *l, size_t most);

/*
 * Look at all processes and files that show it, and, where `folder` is not NULL, at the files
 * below it, of its file system. page_kb: of a page.
 */
void holders_find(struct memory_holders *h, struct text *t, int64_t page_kb, int64_t stack_kb,
		  const char *folder);
/* Only the files that a process has open or mapped; may be called for several processes. */
void holders_begin(struct memory_holders *h);
void holders_files_of(struct memory_holders *h, struct text *t, pid_t pid, int64_t page_kb);

void holders_free(struct memory_holders *h);

/* Parsers of files, for holders_find() and its tests. */
void holders_slab(struct memory_holders *h, const char *slabinfo, int64_t page_kb);
void holders_vmalloc(struct memory_holders *h, const char *vmallocinfo, int64_t page_kb);

/* Adds a holder with that size, of the process h->pid. */
void holders_add(struct memory_holders *h, enum held_kind k, const char *name, int64_t kb);

#endif
