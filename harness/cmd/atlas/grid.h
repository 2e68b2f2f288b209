// SPDX-License-Identifier: MIT
#ifndef RSSCK_CMD_ATLAS_GRID_H
#define RSSCK_CMD_ATLAS_GRID_H

#include "run.h"

/* Do each act to each available kind, and write what it moves. Returns the exit status. */
int grid_make(struct run *r, FILE *out);

#endif
