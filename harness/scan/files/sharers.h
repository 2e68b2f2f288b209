// SPDX-License-Identifier: MIT
/*
 * The processes with which a process shares its pages: those that map a file, and those that map
 * the same page frames.
 */
#ifndef RSSCK_SCAN_SHARERS_H
#define RSSCK_SCAN_SHARERS_H

#include "mapcounts.h"
#include "scan/keep/key.h"
#include <jansson.h>
#include <rssck/source.h>
#include <stdio.h>

struct sharer {
	pid_t pid;
	char name[64];
	char elsewhere[128]; /* namespaces_words() */
	/* sharers_of_file(): the file's mappings in that process, as smaps has them. Sizes in kB.
	 */
	size_t nr_maps;
	int64_t size, rss, pss, swap;
	int64_t only;  /* mapped by no other process */
	int64_t frees; /* memory freed by its end alone: see scan/keep/ending.h */
	/* sharers_of_frames() */
	int64_t pages; /* pages of ours that it maps, too */
	int64_t alone; /* those of them mapped by the two of us alone */
};

struct sharers {
	struct sharer *of; /* the largest sharer first; owned */
	size_t nr;
	size_t unseen;  /* processes whose mappings we may not see */
	int64_t shared; /* for page frames: pages of ours that are mapped more than once */
};

/*
 * Finds the processes that map the file, sorted by `frees` and then by `rss`, the largest first.
 * Returns 0, or -1 with a sentence in `why`.
 */
int sharers_of_file(struct sharers *s, const struct file_key *k, const struct host *h, char *why,
		    size_t size);

/*
 * Compares the shared page frames of a process, as mapcounts_read() has found them in the mappings
 * of f, with those of every process. Returns 0, or -1 with a sentence in `why`.
 */
int sharers_of_frames(struct sharers *s, const struct snapshot *of, const struct files *f,
		      const struct shared_frames *shared, const struct host *h, char *why,
		      size_t size);
void sharers_free(struct sharers *s);

void sharers_of_file_print(const struct sharers *s, const char *name, FILE *out);
json_t *sharers_of_file_json(const struct sharers *s);
void sharers_of_frames_print(const struct sharers *s, long page_size, FILE *out);
json_t *sharers_of_frames_json(const struct sharers *s);

/* Each searching thread's own state. */
struct sharer_search {
	struct text text;
	uint32_t *stamps, stamp; /* for page frames: the process last found to map it */
	size_t unseen;
};

/*
 * Calls look() for each process, in parallel. It fills in what is shared, and returns 1 if anything
 * is, 0 if not, or a negative errno. Returns 0, or an errno of our own.
 */
typedef int look_fn(struct sharer *one, pid_t pid, struct sharer_search *own, const void *arg);
int sharers_search(struct sharers *s, look_fn *look, const void *arg);

#endif
