// SPDX-License-Identifier: MIT
#ifndef RSSCK_CMD_ATLAS_GRID_H
#define RSSCK_CMD_ATLAS_GRID_H

#include "run.h"

/* Runs each act on each available kind, and writes what it moves. Returns the exit status. */
int grid_make(struct run *r, FILE *out);

#endif
