// SPDX-License-Identifier: MIT
/* The mappings of a process added up by file, as the smaps script of 2006 did by mapping. */
#ifndef RSSCK_SCAN_FILES_H
#define RSSCK_SCAN_FILES_H

#include <rssck/snapshot.h>

/* One file, or what has no file: "[heap]", "[anonymous]". Sizes in kB. */
struct file {
	const char *name; /* the mappings' own; may hold anything but a newline */
	uint64_t start;   /* of the first mapping */
	size_t nr_maps;
	int64_t size, rss, pss, swap, hugetlb;
	int64_t private_clean, private_dirty, shared_clean, shared_dirty;
};

struct files {
	struct file *of; /* the largest RSS first; owned */
	size_t nr;
	size_t *of_map; /* of each mapping: its file's index in `of`; owned */
};

/*
 * Group the mappings of s by name, device and inode, or, with `each`, not at
 * all. The names stay s's own. Returns 0, or -1 where there is no memory.
 */
int files_make(struct files *f, const struct snapshot *s, bool each);
void files_free(struct files *f);

/* All of them as one. */
struct file files_sum(const struct files *f);

#endif
