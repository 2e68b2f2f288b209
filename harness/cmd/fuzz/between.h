/* SPDX-License-Identifier: MIT */
/* Between programs fuzz sometimes runs a case, which checks what no verb can. */
#ifndef RSSCK_CMD_FUZZ_BETWEEN_H
#define RSSCK_CMD_FUZZ_BETWEEN_H

#include "engine/engine.h"
#include <stdint.h>
#include <stdio.h>

/* The case to run after the program with that seed, or NULL. */
const struct case_registration *between_case(uint64_t seed);

/*
 * Runs the case. Returns true if it fails; a failure, or a known bug that it shows, is
 * written to `out`.
 */
bool between_run(struct engine *e, const struct case_registration *c, FILE *out);

#endif
