// SPDX-License-Identifier: MIT
/* The reasons why the memory of a shared object stays when some processes end. */
#ifndef RSSCK_SCAN_KEEPERS_H
#define RSSCK_SCAN_KEEPERS_H

#include "key.h"
#include <rssck/host.h>
#include <stddef.h>

enum keeper {
	KEEPER_NONE,       /* its pages are freed with the last of the processes */
	KEEPER_MAPPING,    /* another process maps it */
	KEEPER_DESCRIPTOR, /* another process has it open */
	KEEPER_NAME,       /* it is a file of a tmpfs or hugetlbfs, with a name */
	KEEPER_SEGMENT,    /* a System V segment that was not removed */
	KEEPER_UNKNOWN,    /* we cannot see whether anything keeps it */
};

/* A shmem or hugetlb object: shared anonymous memory, a memfd, a segment, a file of a tmpfs. */
struct object {
	struct file_key key;
	char *name; /* owned */
	pid_t pid;  /* the process that maps it, and the address */
	uint64_t start, end;
	int fd; /* its descriptor in the process, if that has it open and none maps it; else -1 */
	bool hugetlb;
	int64_t kb; /* all its pages, mapped or not, in memory or on swap; else the largest amount
		     * that one process maps */
	bool whole; /* kb includes all pages */
	int64_t mapped; /* the largest resident size in one process, in kB */
	int64_t swap;   /* the largest size on swap in one process */
	enum keeper kept;
	pid_t keeper; /* for KEEPER_MAPPING and KEEPER_DESCRIPTOR */
	char keeper_name[64];
};

struct objects {
	struct object *of; /* owned */
	size_t nr, room;
	size_t unseen;   /* processes that could not be examined */
	int64_t deleted; /* page cache, at most, of other files without a name, in kB */
	struct met *met; /* owned: those files */
};

/*
 * True if the mapping's pages belong to such an object, rather than to a process or to a file on a
 * disk.
 */
bool mapping_is_object(const struct mapping *m, pid_t pid, const struct host *h);

/* Adds one mapping of an ending process. Returns 0, or -1 if there is no memory. */
int objects_add(struct objects *o, const struct mapping *m, pid_t pid);

/*
 * Adds the objects without a name that an ending process has open, mapped or not, and counts
 * other files without a name in o->deleted. Returns 0 or a negative errno.
 */
int objects_add_open(struct objects *o, pid_t pid);

/* Counts a mapping in o->deleted if it is of a file, not an object, without a name. */
void objects_add_deleted(struct objects *o, const struct mapping *m, pid_t pid);

/*
 * Finds the size of each object, and what keeps it when those `nr` processes end. rssck itself
 * keeps nothing. Returns 0 or a negative errno.
 */
int objects_find_keepers(struct objects *o, const pid_t *ending, size_t nr);
void objects_free(struct objects *o);

/* "process 12 (nginx) maps it": what keeps it, a clause; into buf. */
const char *keeper_words(const struct object *one, char *buf, size_t size);

#endif
