// SPDX-License-Identifier: MIT
/* Runs recorded for plots, in a folder of their own. */
#ifndef RSSCK_RECORDINGS_H
#define RSSCK_RECORDINGS_H

#include "page/html.h"

/*
 * Every result in the folder curves/ beside that file, in the order of their
 * names; none where there is no such folder. Returns 0, or -1 with a sentence in `why`.
 */
int recordings_load(struct recordings *r, const char *file, char *why, size_t size);
void recordings_free(struct recordings *r);

#endif
