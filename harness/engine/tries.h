// SPDX-License-Identifier: MIT
#ifndef RSSCK_TRIES_H
#define RSSCK_TRIES_H

#include "engine.h"

/*
 * Tries a case on those CPUs until its verdict is certain, and adds it to *r. If not `first`, it
 * replaces the verdict only if it is worse.
 */
void tries_make(struct engine *e, const struct case_registration *c, const int *cpus,
		unsigned nr_cpus, struct result *r, bool first);

#endif
