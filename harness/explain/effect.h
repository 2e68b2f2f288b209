// SPDX-License-Identifier: MIT
/* Explanations of the grid: what an act does to a kind of memory. */
#ifndef RSSCK_EXPLAIN_EFFECT_H
#define RSSCK_EXPLAIN_EFFECT_H

#include "explain.h"
#include "grid/grids.h"
#include "grid/names.h"

void explain_effect(const struct explanation *e, const struct grids *g, const struct grid_asked *a);
json_t *explain_effect_json(const struct explanation *e, const char *asked, const struct grids *g,
			    const struct grid_asked *a);

#endif
