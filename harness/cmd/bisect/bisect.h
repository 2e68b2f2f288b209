// SPDX-License-Identifier: MIT
/* The parts of rssck bisect. */
#ifndef RSSCK_CMD_BISECT_H
#define RSSCK_CMD_BISECT_H

#include "cmd/line/command.h"
#include <stdbool.h>
#include <stddef.h>

extern const struct command command_bisect;

enum { SAID_SIZE = 512 };

struct bisect_options {
	const char *kernels;       /* a folder, or NULL: the cache of `make kernels` */
	const char *tree;          /* of a kernel's git, or NULL */
	const char *build;         /* a command for the shell, in the tree */
	const char *image;         /* what it makes */
	const char *log;           /* or NULL */
	const char *cpus, *memory; /* rssck vm's, or NULL */
	const char *good, *bad, *id;
};

/* One kernel of the folder. */
struct candidate {
	char name[128];       /* what it is called there */
	char row[72];         /* what make kernels calls it, or "": of a tree, its commit */
	char image[4096];     /* its file */
	char said[SAID_SIZE]; /* what the case said on it: "" nobody knows yet, "?..." it cannot be
				 told */
};

struct candidates {
	struct candidate *of; /* owned, in the order of their versions */
	size_t nr;
};

/* The kernels of a folder: NAME/vmlinuz, or images themselves. Returns 0, or -1 after it has said
 * why. */
int candidates_find(struct candidates *c, const char *folder);
void candidates_free(struct candidates *c);

/* By either of its names; -1: none is called so. */
int candidate_index(const struct candidates *c, const char *name);

/* Which is to be looked at next, between one that is like the first and one that is not; -1: none
 * is left. */
int bisect_next(const struct candidates *c, int like, int unlike);

/* Boot it: what the case says there into ->said, "pass; fact = value, ..." or "?" and why it cannot
 * be told. */
void candidate_ask(struct candidate *k, const struct bisect_options *o);

/* What earlier runs have written to the log into ->said. Returns 0, or -1 after it has said why. */
int bisect_log_read(struct candidates *c, const struct bisect_options *o);
/* Add to it what one has said. Returns the same. */
int bisect_log_add(const struct candidate *k, const struct bisect_options *o);

bool cannot_tell(const struct candidate *k);

/* Ask one, print what it says, log it. Returns 0, or -1 after it has said why. */
int bisect_ask(struct candidates *c, int i, const struct bisect_options *o);
/* The same of both ends, which must say different things. */
int bisect_ask_ends(struct candidates *c, int good, int bad, const struct bisect_options *o);

/* Check a commit out and build it; ->said is why it cannot be told, where it does not build.
 * Returns 0, or -1 after it has said why no commit can be checked out. */
int tree_build(struct candidate *k, const struct bisect_options *o);

/* All of it over the commits of a git tree. Returns the exit status. */
int bisect_tree(const struct bisect_options *o);

#endif
