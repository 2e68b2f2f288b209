// SPDX-License-Identifier: MIT
/*
 * Finds the processes that share pages: those that map a file, or those that map a process's page
 * frames.
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
	char elsewhere[128]; /* as written by namespaces_words() */
	/*
	 * Set by sharers_of_file(): the file's mappings in that process, from smaps. Sizes are in
	 * kB.
	 */
	size_t nr_maps;
	int64_t size, rss, pss, swap;
	int64_t only;  /* not mapped by any other process */
	int64_t frees; /* memory that ending only this process would free: see scan/keep/ending.h */
	/* Set by sharers_of_frames(). */
	int64_t pages; /* pages of the examined process that it maps, too */
	int64_t alone; /* pages that only it and the examined process map */
};

struct sharers {
	struct sharer *of; /* the largest sharer first; owned */
	size_t nr;
	size_t unseen; /* processes whose mappings may not be read */
	/*
	 * Set by sharers_of_frames(): pages of the examined process that are mapped more than once.
	 */
	int64_t shared;
};

/*
 * Finds the processes that map the file, sorted by `frees` and then by `rss`, the largest first.
 * Returns 0, or -1 with a message in `why`.
 */
int sharers_of_file(struct sharers *s, const struct file_key *k, const struct host *h, char *why,
		    size_t size);

/*
 * Finds the processes that map the shared page frames of a process. mapcounts_read() has collected
 * these frames from the mappings of f. Returns 0, or -1 with a message in `why`.
 */
int sharers_of_frames(struct sharers *s, const struct snapshot *of, const struct files *f,
		      const struct shared_frames *shared, const struct host *h, char *why,
		      size_t size);
void sharers_free(struct sharers *s);

void sharers_of_file_print(const struct sharers *s, const char *name, FILE *out);
json_t *sharers_of_file_json(const struct sharers *s);
void sharers_of_frames_print(const struct sharers *s, long page_size, FILE *out);
json_t *sharers_of_frames_json(const struct sharers *s);

/* The state of one searching thread. */
struct sharer_search {
	struct text text;
	/* stamps[i]: the `stamp` of the last process that maps the frame in slot i of the table */
	uint32_t *stamps, stamp;
	size_t unseen;
};

/*
 * Calls look() for each process, in parallel. look() fills in *one and returns 1 if memory is
 * shared, 0 if not, or a negative errno. sharers_search() returns 0 or a negative errno of its own.
 */
typedef int look_fn(struct sharer *one, pid_t pid, struct sharer_search *own, const void *arg);
int sharers_search(struct sharers *s, look_fn *look, const void *arg);

#endif
