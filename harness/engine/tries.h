// SPDX-License-Identifier: MIT
#ifndef RSSCK_TRIES_H
#define RSSCK_TRIES_H

#include "engine.h"

/*
 * Tries a case on those CPUs until its verdict is certain, and adds the last try to *r. If not
 * `first`, the try replaces the verdict in *r only if its own is worse.
 */
void tries_make(struct engine *e, const struct case_registration *c, const int *cpus,
		unsigned nr_cpus, struct result *r, bool first);

#endif
