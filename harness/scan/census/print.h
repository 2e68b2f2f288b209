// SPDX-License-Identifier: MIT
/* Writes the table of many processes as text and as JSON. */
#ifndef RSSCK_SCAN_CENSUS_PRINT_H
#define RSSCK_SCAN_CENSUS_PRINT_H

#include "census.h"
#include <jansson.h>
#include <stdio.h>

void census_print(const struct census *c, const struct census_wanted *w, FILE *out, bool colour);
json_t *census_json(const struct census *c, const struct census_wanted *w);

#endif
