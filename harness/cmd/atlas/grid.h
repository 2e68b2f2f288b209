// SPDX-License-Identifier: MIT
#ifndef RSSCK_CMD_ATLAS_GRID_H
#define RSSCK_CMD_ATLAS_GRID_H

#include "run.h"

/*
 * Runs each act on each available kind of memory, and writes the changes. Returns the exit status.
 */
int grid_make(struct run *r, FILE *out);

#endif
