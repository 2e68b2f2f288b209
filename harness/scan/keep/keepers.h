// SPDX-License-Identifier: MIT
/* Finds what keeps a shared object in memory after some processes have ended. */
#ifndef RSSCK_SCAN_KEEPERS_H
#define RSSCK_SCAN_KEEPERS_H

#include "frame_list.h"
#include "key.h"
#include "ranges.h"
#include <rssck/host.h>
#include <stddef.h>

enum keeper {
	KEEPER_NONE,       /* nothing: its pages are freed with the last of the processes */
	KEEPER_MAPPING,    /* another process maps it */
	KEEPER_DESCRIPTOR, /* another process has it open */
	KEEPER_NAME,       /* it is a file of a tmpfs or hugetlbfs that still has a name */
	KEEPER_SEGMENT,    /* a System V segment that was not removed */
	KEEPER_UNKNOWN,    /* a System V segment in another IPC namespace, or one that could not be
			    * read */
};

/*
 * A shmem or hugetlb object: shared anonymous memory, a memfd, a System V segment, or a file of a
 * tmpfs or hugetlbfs.
 */
struct object {
	struct file_key key;
	char *name; /* owned */
	/* A process that maps it or has it open; if it maps it, the mapping's addresses. */
	pid_t pid;
	uint64_t start, end;
	int fd; /* its descriptor in the process, if the process only has it open; else -1 */
	bool hugetlb;
	int64_t kb; /* all its pages in kB, mapped or not, in memory or on swap; if unknown, mapped
		     * + swap */
	bool whole; /* kb includes all pages */
	int64_t mapped;      /* pages that at least one of the ending processes maps, in kB */
	int64_t swap;        /* pages on swap within those mappings, in kB */
	bool exact;          /* mapped and swap are exact; otherwise they are minimums */
	struct ranges pages; /* owned: offsets of the pages that the ending processes map */
	struct ranges areas; /* owned: the parts of the object for which `swap` is counted */
	enum keeper kept;
	pid_t keeper; /* a process, for KEEPER_MAPPING and KEEPER_DESCRIPTOR */
	char keeper_name[64];
};

struct objects {
	struct object *of; /* owned */
	size_t nr;
	size_t unseen;   /* number of processes that could not be examined */
	int64_t deleted; /* largest possible page cache of other files without a name, in kB */
	struct met *met; /* owned; the files counted in `deleted` */
};

/* True if the mapping's pages belong to such an object, and not to a process or a file on disk. */
bool mapping_is_object(const struct mapping *m, pid_t pid, const struct host *h);

/* Adds one mapping of an ending process. */
void objects_add(struct objects *o, const struct mapping *m, pid_t pid, const struct host *h);

/*
 * Adds the objects without a name that an ending process has open. Counts other files without a
 * name in o->deleted.
 */
void objects_add_open(struct objects *o, pid_t pid);

/* Counts the mapping's file in o->deleted if it has no name. The file must not be an object. */
void objects_add_deleted(struct objects *o, const struct mapping *m, pid_t pid);

/*
 * Finds the size of each object, and what keeps it after those `nr` processes have ended. rssck
 * itself does not count. Returns 0 or a negative errno.
 */
int objects_find_keepers(struct objects *o, const pid_t *ending, size_t nr);
void objects_free(struct objects *o);

/*
 * Opens the object through a process that maps it or has it open, to read it. Returns a descriptor
 * or a negative errno.
 */
int object_open(const struct object *one);

/* Writes what keeps the object into buf, such as "process 12 (nginx) maps it, too". */
const char *keeper_words(const struct object *one, char *buf, size_t size);

/*
 * Adds the frames of the object's pages in memory that none of the ending processes maps (root).
 * Maps these pages briefly, because only pagemap shows a page's frame. Reads no page from swap and
 * allocates none. Returns 0 or a negative errno.
 */
int unmapped_frames(const struct object *one, const struct host *h, struct frame_list *l);

#endif
