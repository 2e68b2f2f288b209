// SPDX-License-Identifier: MIT
/* Recorded runs: those that come with rssck, and those made for plots. */
#ifndef RSSCK_RECORDED_H
#define RSSCK_RECORDED_H

#include "grid/grids.h"
#include "page/html.h"

/*
 * Every *.json of a folder, in the order of their releases, which `names` does not follow; with
 * NULL those of results/ beside the program or its folder, or of share/rssck/results where it is
 * installed; none where neither is there. A file that cannot be read is left out, with a message.
 * Returns 0, or -1 after a message where the folder that was named cannot be read.
 */
int recorded_load(struct recordings *r, const char *folder);

/* The folder curves/ beside that file, in the order of names. -1 where one cannot be read. */
int recordings_load(struct recordings *r, const char *file);

void recordings_free(struct recordings *r);

/* The grids of the folder atlas/ in that folder, or with NULL in rssck's own; none where it is not
 * there. */
void grids_recorded(struct grids *g, const char *folder);

#endif
