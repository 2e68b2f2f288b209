// SPDX-License-Identifier: MIT
/* The mappings of a process added up by file, as the smaps script of 2006 did by mapping. */
#ifndef RSSCK_SCAN_FILES_H
#define RSSCK_SCAN_FILES_H

#include <rssck/snapshot.h>

/* One file, or what has no file: "[heap]", "[anonymous]". Sizes in kB. */
struct file {
	char *name; /* owned; may hold anything; as maps writes it, or, with files_name(), as it is
		     */
	uint64_t inode;
	unsigned dev_major, dev_minor;
	uint64_t start, end; /* of the first mapping */
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
 * Group mappings by name, device and inode, or, with `each`, not at all: one
 * after the other, by address; what is left of them is f's. files_end() puts the
 * largest first. Return 0, or -1 where there is no memory.
 */
void files_begin(struct files *f, bool each);
int files_add(struct files *f, const struct mapping *m);
int files_end(struct files *f);
void files_free(struct files *f);

/* The same of all mappings of s. */
int files_make(struct files *f, const struct snapshot *s, bool each);

/* Each by its name as it is, of that process: see name_of_mapping(). */
void files_name(struct files *f, pid_t pid);

/* All of them as one. */
struct file files_sum(const struct files *f);

#endif
