// SPDX-License-Identifier: MIT
/* The grid of the atlas as an HTML page. */
#ifndef RSSCK_PAGE_ATLAS_H
#define RSSCK_PAGE_ATLAS_H

#include "grid/grids.h"

/* Writes the page. Returns 0, or -1 with errno. */
int report_atlas(const struct grids *g, FILE *out);

#endif
