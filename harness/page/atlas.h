// SPDX-License-Identifier: MIT
/* The grid of the atlas as a page for a browser. */
#ifndef RSSCK_PAGE_ATLAS_H
#define RSSCK_PAGE_ATLAS_H

#include "grid/grids.h"

/* Returns 0, or -1 with errno. */
int report_atlas(const struct grids *g, FILE *out);

#endif
