// SPDX-License-Identifier: MIT
/*
 * Lists the largest holders of each kind of memory: processes, slab caches, callers of vmalloc(),
 * files.
 */
#ifndef RSSCK_MACHINE_HOLDERS_H
#define RSSCK_MACHINE_HOLDERS_H

#include <jansson.h>
#include <rssck/source.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum held_kind {
	HELD_NONE,
	HELD_ANON,             /* RssAnon of a process */
	HELD_PGTABLE,          /* VmPTE of a process */
	HELD_HUGETLB,          /* HugetlbPages of a process */
	HELD_STACKS,           /* number of threads x the size of a stack */
	HELD_SHMEM,            /* a memfd, a tmpfs or a SysV segment, mapped or not */
	HELD_SHMEM_MAPPED,     /* RssShmem of a process */
	HELD_PIPES,            /* unread data in pipes */
	HELD_SOCKETS,          /* the buffers of a protocol, in /proc/net/sockstat */
	HELD_RINGS,            /* mappings of io_uring, packet sockets and perf events */
	HELD_SLAB,             /* a slab cache that cannot shrink */
	HELD_SLAB_RECLAIMABLE, /* a slab cache that can shrink */
	HELD_VMALLOC,          /* a caller of vmalloc() */
	HELD_CACHE,            /* the page cache of a file, by cachestat(2) */
	HELD_FILE_SYSTEM,      /* the sum of HELD_CACHE, by file system */
	HELD_KINDS,
};

enum { HELD_MOST = 10 };

struct held {
	char name[96];
	pid_t pid; /* 0: the holder is not a process */
	int64_t kb;
};

struct held_list {
	struct held most[HELD_MOST]; /* the largest holder is first */
	size_t nr;                   /* number of all holders */
	int64_t all;                 /* kB of all holders */
};

struct met;

struct memory_holders {
	struct held_list of[HELD_KINDS];
	struct met *files, *by_device; /* owned: the files that are already counted, and the sums by
					* file system; free with holders_free() */
	bool walked; /* a folder was walked, so files that no process has open are counted too */
	pid_t pid;   /* the process that holders_add() stores with each holder; 0: none */
	size_t processes,
		unseen; /* unseen: processes whose file descriptors this user may not read */
};

/*
 * held_name() returns "slab_reclaimable" for JSON; held_words() returns "slabs that can shrink, by
 * cache" for people.
 */
const char *held_name(enum held_kind k);
const char *held_words(enum held_kind k);

/* Print up to `most` of the largest holders, one per line, or as [{ name, pid, kB }]. */
void held_put(const struct held_list *l, size_t most, FILE *out);
json_t *held_json(const struct held_list *l, size_t most);

/*
 * Looks at all processes, all tmpfs mounts, and the files of /proc that list other holders (slab
 * caches, callers of vmalloc(), sockets, SysV segments). If `folder` is not NULL, also counts the
 * files below it that are on its file system. page_kb: the size of a page; stack_kb: that of a
 * thread's kernel stack.
 */
void holders_find(struct memory_holders *h, struct text *t, int64_t page_kb, int64_t stack_kb,
		  const char *folder);
/*
 * holders_files_of() counts the files that a process has open or mapped. For a cgroup, call
 * holders_begin() once and then holders_files_of() for each process.
 */
void holders_begin(struct memory_holders *h);
void holders_files_of(struct memory_holders *h, struct text *t, pid_t pid, int64_t page_kb);

void holders_free(struct memory_holders *h);

/* Parses the text of /proc/vmallocinfo; a test calls it, too. */
void holders_vmalloc(struct memory_holders *h, const char *vmallocinfo, int64_t page_kb);

/* Adds a holder of this size, with the process h->pid. */
void holders_add(struct memory_holders *h, enum held_kind k, const char *name, int64_t kb);

#endif
