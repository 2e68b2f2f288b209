// SPDX-License-Identifier: MIT
/* Sums the mappings of a process by file. */
#ifndef RSSCK_SCAN_FILES_H
#define RSSCK_SCAN_FILES_H

#include <rssck/snapshot.h>

/* A file, or memory without a file such as "[heap]" or "[anonymous]". Sizes are in kB. */
struct file {
	/* Owned. Escaped as in maps until files_name() unescapes it. May contain any character. */
	char *name;
	uint64_t inode;
	unsigned dev_major, dev_minor;
	uint64_t start, end; /* addresses of the first mapping */
	size_t nr_maps;
	int64_t size, rss, pss, swap, hugetlb;
	int64_t private_clean, private_dirty, shared_clean, shared_dirty;
};

struct files {
	struct file *of; /* sorted by RSS, the largest first; owned */
	size_t nr;
	size_t *of_map; /* for each mapping, the index of its file in `of`; owned */
	size_t nr_maps;
	bool each;
	size_t mask;
	size_t *slots; /* a hash table with indices of `of` + 1; owned */
};

/*
 * files_begin(), files_add() and files_end() group mappings by name, device and inode. With `each`
 * every mapping remains separate. files_end() sorts them, the largest first.
 */
void files_begin(struct files *f, bool each);
void files_add(struct files *f, const struct mapping *m);
void files_end(struct files *f);
void files_free(struct files *f);

/* Groups all mappings of s. */
void files_make(struct files *f, const struct snapshot *s, bool each);

/* Unescapes each name; see name_of_mapping(). */
void files_name(struct files *f, pid_t pid);

/* Returns the sum of all files. */
struct file files_sum(const struct files *f);

#endif
