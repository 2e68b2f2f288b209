// SPDX-License-Identifier: MIT
#ifndef RSSCK_PLACE_H
#define RSSCK_PLACE_H

#include "engine.h"

/* Fill in e->workload, e->directory. Return 0, or -1 with a sentence in `why`. */
int place_workload(struct engine *e, char *why, size_t size);
int place_directory(struct engine *e, const char *directory, char *why, size_t size);

#endif
