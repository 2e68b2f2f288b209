// SPDX-License-Identifier: MIT
/* Writes the mappings of one process as text and as JSON. */
#ifndef RSSCK_SCAN_FILES_PRINT_H
#define RSSCK_SCAN_FILES_PRINT_H

#include "mapcounts.h"
#include "runs.h"
#include <jansson.h>
#include <stdio.h>

/* Lists the mappings by file. Empty mappings are only counted. */
void files_print(const struct files *f, FILE *out);
json_t *files_json(const struct files *f);

/*
 * Lists the mapcounts by file. `of` has an element for each file of f; `pss` is from smaps_rollup.
 */
void mapcounts_print(const struct mapcounts *of, const struct files *f, int64_t pss, long page_size,
		     FILE *out);
json_t *mapcounts_json(const struct mapcounts *of, const struct files *f);

void run_print_title(FILE *out);
void run_print(const struct run *r, FILE *out);
json_t *run_json(const struct run *r);

#endif
