// SPDX-License-Identifier: MIT
#ifndef RSSCK_NEED_H
#define RSSCK_NEED_H

#include "engine.h"

/* True if the machine has everything that a case needs. *m lists all that is missing. */
bool needs_are_met(const struct engine *e, const struct testcase *c, struct missing *m);

#endif
