// SPDX-License-Identifier: MIT
/* Runs one sequence step by step. */
#ifndef RSSCK_CMD_ATLAS_STEPS_H
#define RSSCK_CMD_ATLAS_STEPS_H

#include "atlas/words.h"
#include "engine/engine.h"
#include <stdio.h>

/* Runs the sequence alone, and prints its text after each of its words. Returns the exit status. */
int steps_show(struct engine *e, const struct words *w, const char *sequence, FILE *out);

#endif
