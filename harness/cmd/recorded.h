// SPDX-License-Identifier: MIT
/* Loads recorded runs: the runs that came with rssck, and runs with curves for plots. */
#ifndef RSSCK_RECORDED_H
#define RSSCK_RECORDED_H

#include "grid/grids.h"
#include "page/html.h"

/*
 * Loads every *.json of a folder, sorted by release instead of by name. If `folder` is NULL, loads
 * results/ in the program's folder or the folder above it, or share/rssck/results if rssck is
 * installed; loads nothing if none of them exists. Leaves out a file that cannot be read, with a
 * message. Returns 0, or -1 after a message if the named folder cannot be read.
 */
int recorded_load(struct recordings *r, const char *folder);

/*
 * Loads the folder curves/ in the folder of `file`, sorted by name. Returns 0, or -1 if a curve
 * cannot be read.
 */
int recordings_load(struct recordings *r, const char *file);

void recordings_free(struct recordings *r);

/*
 * Loads the grids in the subfolder atlas/ of `folder`. If `folder` is NULL, loads the grids that
 * came with rssck. Loads none if there is no such folder.
 */
void grids_recorded(struct grids *g, const char *folder);

#endif
