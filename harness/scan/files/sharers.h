// SPDX-License-Identifier: MIT
/* With whom a process shares its pages: who maps a file, and who maps the same page frames. */
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
	int64_t only;  /* mapped by nobody else */
	int64_t frees; /* what its end alone gives back: see scan/keep/ending.h */
	/* sharers_of_frames() */
	int64_t pages; /* of ours that it maps, too */
	int64_t alone; /* of these, mapped by the two of us and nobody else */
};

struct sharers {
	struct sharer *of; /* who shares most first; owned */
	size_t nr;
	size_t unseen;  /* processes whose mappings we may not see */
	int64_t shared; /* of page frames: pages of ours that are mapped more than once */
};

/* Find who maps the file; the largest `frees`, then the largest `rss`, come first. Returns 0, or -1
 * with a sentence in `why`. */
int sharers_of_file(struct sharers *s, const struct file_key *k, const struct host *h, char *why,
		    size_t size);

/*
 * Compare the shared page frames of a process, as mapcounts_read() has found them in the mappings
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

/* What a thread that looks for sharers has to itself. */
struct sharer_search {
	struct text text;
	uint32_t *stamps, stamp; /* of page frames: which process has been found to map it */
	size_t unseen;
};

/*
 * Call look() for each process, in parallel. It fills in what is shared, and returns 1 where
 * anything is, 0 where not, or a negative errno. Returns 0, or an errno that is about us.
 */
typedef int look_fn(struct sharer *one, pid_t pid, struct sharer_search *own, const void *arg);
int sharers_search(struct sharers *s, look_fn *look, const void *arg);

#endif
