// SPDX-License-Identifier: MIT
/* The recorded runs that come with rssck. */
#ifndef RSSCK_RECORDED_H
#define RSSCK_RECORDED_H

#include <rssck/verdict.h>

struct recorded {
	struct results *of; /* in order of their releases; owned */
	size_t nr;
};

/*
 * Every *.json of a folder; with NULL of results/ beside the program or its folder, or of
 * share/rssck/results where it is installed, and none where neither is there.
 * A file that cannot be read is left out, and said. Returns 0, or -1 (and has
 * said why) where the folder that was named cannot be read.
 */
int recorded_load(struct recorded *r, const char *folder);
void recorded_free(struct recorded *r);

#endif
