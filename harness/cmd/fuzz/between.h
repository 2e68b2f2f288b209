/* SPDX-License-Identifier: MIT */
/* Between programs fuzz runs a case now and then, which asks what no verb can. */
#ifndef RSSCK_CMD_FUZZ_BETWEEN_H
#define RSSCK_CMD_FUZZ_BETWEEN_H

#include "engine/engine.h"
#include <stdint.h>
#include <stdio.h>

/* The case that is run behind the program of that seed, or NULL: none is. */
const struct case_registration *between_case(uint64_t seed);

/* Run it. True: it fails, and what is wrong has been written to `out`. A known bug that it shows is
 * written, too. */
bool between_run(struct engine *e, const struct case_registration *c, FILE *out);

#endif
