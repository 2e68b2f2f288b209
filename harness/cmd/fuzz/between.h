/* SPDX-License-Identifier: MIT */
/* Between programs fuzz sometimes runs a case, which checks what no verb can. */
#ifndef RSSCK_CMD_FUZZ_BETWEEN_H
#define RSSCK_CMD_FUZZ_BETWEEN_H

#include "engine/engine.h"
#include <stdint.h>
#include <stdio.h>

/* The case to run after the program of that seed, or NULL. */
const struct case_registration *between_case(uint64_t seed);

/*
 * Run it. Returns true if it fails; the failure, and a known bug that it shows, are written to
 * `out`.
 */
bool between_run(struct engine *e, const struct case_registration *c, FILE *out);

#endif
