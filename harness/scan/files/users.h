// SPDX-License-Identifier: MIT
/* Who maps a file, and what each would free: exmap's question. */
#ifndef RSSCK_SCAN_USERS_H
#define RSSCK_SCAN_USERS_H

#include <jansson.h>
#include <rssck/snapshot.h>
#include <stdio.h>

/* A process that shares; who it is. */
struct fellow {
	pid_t pid;
	char name[64];
	char elsewhere[128]; /* namespaces_words() */
};

/* The mappings of one file in one process, as smaps has them. Sizes in kB. */
struct file_user {
	struct fellow who;
	size_t nr_maps;
	int64_t size, rss, pss, swap;
	int64_t frees; /* mapped nowhere else: what its end alone would free */
};

struct file_users {
	struct file_user *of; /* the largest `frees`, then the largest `rss` first; owned */
	size_t nr;
	size_t unseen; /* processes whose mappings we may not see */
};

/* Which file: by device and inode where it has one, and by its name in maps. */
struct file_key {
	unsigned dev_major, dev_minor;
	uint64_t inode; /* 0: not known */
	const char *name;
};

/* Of a path; -1 with a sentence in `why` where there is no such file. */
int file_key_of_path(struct file_key *k, const char *path, char *why, size_t size);

/* Returns 0, or -1 with a sentence in `why`. */
int file_users_find(struct file_users *u, const struct file_key *k, char *why, size_t size);
void file_users_free(struct file_users *u);

void file_users_print(const struct file_users *u, const char *name, FILE *out);
json_t *file_users_json(const struct file_users *u);

/* The name and the namespaces of a process, from its status. -1: it is gone. */
int fellow_read(struct fellow *f, pid_t pid);

/* "1234 nginx (in another PID namespace, 7 there)". */
void fellow_print(const struct fellow *f, FILE *out);
void fellow_json(const struct fellow *f, json_t *to);

#endif
