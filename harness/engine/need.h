// SPDX-License-Identifier: MIT
#ifndef RSSCK_NEED_H
#define RSSCK_NEED_H

#include "engine.h"

/*
 * True if everything that a case needs is present. *m lists all that is missing, not only the
 * first.
 */
bool needs_are_met(const struct engine *e, const struct testcase *c, struct missing *m);

#endif
