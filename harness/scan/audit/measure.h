// SPDX-License-Identifier: MIT
/* How the counters count on this kernel, measured when the first one is off. */
#ifndef RSSCK_SCAN_MEASURE_H
#define RSSCK_SCAN_MEASURE_H

#include "scan/audit/audit.h"

/* Fill in *m: measured, or not and why. Takes some tenths of a second. */
void measure(struct measured *m);

#endif
