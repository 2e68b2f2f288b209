// SPDX-License-Identifier: MIT
/* Recorded runs: those that come with rssck, and those with curves for plots. */
#ifndef RSSCK_RECORDED_H
#define RSSCK_RECORDED_H

#include "grid/grids.h"
#include "page/html.h"

/*
 * Loads every *.json of a folder, in the order of their releases, which differs from the order of
 * names. NULL: results/ beside the program or its folder, or share/rssck/results if installed;
 * nothing is loaded if neither exists. A file that cannot be read is left out, with a message.
 * Returns 0, or -1 after a message if the named folder cannot be read.
 */
int recorded_load(struct recordings *r, const char *folder);

/* Loads the folder curves/ beside that file, sorted by name. Returns -1 if one cannot be read. */
int recordings_load(struct recordings *r, const char *file);

void recordings_free(struct recordings *r);

/*
 * Loads the grids in the subfolder atlas/ of that folder, or, if it is NULL, of rssck's own; none
 * if it does not exist.
 */
void grids_recorded(struct grids *g, const char *folder);

#endif
