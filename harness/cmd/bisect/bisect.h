// SPDX-License-Identifier: MIT
/* The parts of rssck bisect. */
#ifndef RSSCK_CMD_BISECT_H
#define RSSCK_CMD_BISECT_H

#include "cmd/line/command.h"
#include <stdbool.h>
#include <stddef.h>

extern const struct command command_bisect;

enum { RESULT_SIZE = 512, COMMIT_CHARS = 12 };

struct bisect_options {
	const char *kernels;       /* a folder; NULL: the cache of `make kernels` */
	const char *tree;          /* a kernel's git tree, or NULL */
	const char *build;         /* a shell command that runs in the tree */
	const char *image;         /* the image that the build makes */
	const char *log;           /* the log file, or NULL */
	const char *cpus, *memory; /* values of --cpus and --memory for rssck vm, or NULL */
	const char *good, *bad, *id;
};

/* A kernel of the folder, or a commit of the tree. */
struct candidate {
	char name[128];   /* its name in the folder; in a tree, the commit's first digits and its
			     subject */
	char row[72];     /* its name in kernels.tsv, or ""; in a tree, its commit */
	char image[4096]; /* the path of its image */
	char result[RESULT_SIZE]; /* the case's result: "" not run yet, "?..." the reason why it
				   * cannot be judged */
};

struct candidates {
	struct candidate *of; /* owned; kernels of a folder are sorted by version */
	size_t nr;
};

/*
 * Finds the kernels of a folder: NAME/vmlinuz, NAME/bzImage, or image files. Returns 0, or -1 after
 * a message.
 */
int candidates_find(struct candidates *c, const char *folder);
void candidates_free(struct candidates *c);

/* Returns the index of the kernel with this name in the folder or in kernels.tsv, or -1. */
int candidate_index(const struct candidates *c, const char *name);

/*
 * Returns the index of the next kernel to try, or -1 if none is left. It is the one nearest to the
 * middle between `like` and `unlike`. Kernels with a "?" result are passed over.
 */
int bisect_next(const struct candidates *c, int like, int unlike);

/*
 * Boots a kernel, and stores the case's result in ->result: "pass; fact = value, ...", or "?" and
 * the reason why it cannot be judged.
 */
void candidate_try(struct candidate *k, const struct bisect_options *o);

/* Reads the results of earlier runs from the log. Returns 0, or -1 after a message. */
int bisect_log_read(struct candidates *c, const struct bisect_options *o);
/* Appends a result to the log. Returns 0, or -1 after a message. */
int bisect_log_add(const struct candidate *k, const struct bisect_options *o);

bool cannot_tell(const struct candidate *k);

/* Tries one kernel, prints its result and logs it. Returns 0, or -1 after a message. */
int bisect_try(struct candidates *c, int i, const struct bisect_options *o);
/* Tries both ends, whose results must differ. Returns 0, or -1 after a message. */
int bisect_try_ends(struct candidates *c, int good, int bad, const struct bisect_options *o);

/*
 * Runs a shell script in the tree; $1 and $2 are commits, or lists of commits. Returns the script's
 * output, which the caller frees, or NULL with a sentence in `why`.
 */
char *run_in_tree(const struct bisect_options *o, const char *script, const char *one,
		  const char *other, char why[1024]);
extern const char tree_checkout[]; /* a script that checks out commit $1 */

/*
 * Checks out a commit and builds it. If the build fails, ->result says why the commit cannot be
 * judged. Returns 0, or -1 after a message if the commit cannot be checked out.
 */
int tree_build(struct candidate *k, const struct bisect_options *o);

/* Bisects the commits of a git tree. Returns the exit status. */
int bisect_tree(const struct bisect_options *o);

#endif
