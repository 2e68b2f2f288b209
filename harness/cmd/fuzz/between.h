/* SPDX-License-Identifier: MIT */
/* Runs cases between programs, to check what no verb can check. */
#ifndef RSSCK_CMD_FUZZ_BETWEEN_H
#define RSSCK_CMD_FUZZ_BETWEEN_H

#include "engine/engine.h"
#include <stdint.h>
#include <stdio.h>

/* The case to run before the program of a seed, or NULL. */
const struct case_registration *between_case(uint64_t seed);

/*
 * Runs the case. Returns true if it fails. Writes a failure, or a known bug that the case shows, to
 * `out`.
 */
bool between_run(struct engine *e, const struct case_registration *c, FILE *out);

#endif
