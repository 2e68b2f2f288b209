// SPDX-License-Identifier: MIT
#ifndef RSSCK_NEED_H
#define RSSCK_NEED_H

#include "engine.h"

/* Whether everything that a case needs is here. *m says all that is missing, not only the first. */
bool needs_are_met(const struct engine *e, const struct testcase *c, struct missing *m);

#endif
