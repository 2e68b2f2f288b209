// SPDX-License-Identifier: MIT
/* Sums the mappings of a process by file. */
#ifndef RSSCK_SCAN_FILES_H
#define RSSCK_SCAN_FILES_H

#include <rssck/snapshot.h>

/* One file, or memory without a file: "[heap]", "[anonymous]". Sizes in kB. */
struct file {
	char *name; /* owned; may contain any character; escaped as in maps, or unescaped after
		     * files_name() */
	uint64_t inode;
	unsigned dev_major, dev_minor;
	uint64_t start, end; /* addresses of the first mapping */
	size_t nr_maps;
	int64_t size, rss, pss, swap, hugetlb;
	int64_t private_clean, private_dirty, shared_clean, shared_dirty;
};

struct files {
	struct file *of; /* the largest RSS first; owned */
	size_t nr;
	size_t *of_map; /* of each mapping: its file's index in `of`; owned */
	size_t nr_maps;
	bool each;
	size_t room, map_room, mask;
	size_t *slots; /* a hash table of `of`: index + 1; owned */
};

/*
 * Groups mappings by name, device and inode; with `each` keeps every mapping separate, by
 * address. f takes ownership of the mapping's strings. files_end() sorts the largest first.
 * Return 0, or -1 if there is no memory.
 */
void files_begin(struct files *f, bool each);
int files_add(struct files *f, const struct mapping *m);
int files_end(struct files *f);
void files_free(struct files *f);

/* The same for all mappings of s. */
int files_make(struct files *f, const struct snapshot *s, bool each);

/* Unescapes each name, for that process: see name_of_mapping(). */
void files_name(struct files *f, pid_t pid);

/* The sum of all of them. */
struct file files_sum(const struct files *f);

#endif
