// SPDX-License-Identifier: MIT
/* One sequence, step by step. */
#ifndef RSSCK_CMD_ATLAS_STEPS_H
#define RSSCK_CMD_ATLAS_STEPS_H

#include "atlas/words.h"
#include "engine/engine.h"
#include <stdio.h>

/* Run it alone, and print what it shows after each of its words. The exit status. */
int steps_show(struct engine *e, const struct words *w, const char *sequence, FILE *out);

#endif
