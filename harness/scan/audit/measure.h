// SPDX-License-Identifier: MIT
/* How the counters count on this kernel, measured once a boot. */
#ifndef RSSCK_SCAN_MEASURE_H
#define RSSCK_SCAN_MEASURE_H

#include "scan/audit/audit.h"

/*
 * Fill in *m: measured, or not and why. A tenth of a second, once a boot: what was
 * measured is kept in /run/rssck-model, or $XDG_RUNTIME_DIR/rssck-model.
 */
void measure(struct measured *m);

#endif
