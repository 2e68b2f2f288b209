// SPDX-License-Identifier: MIT
/* The counter models of this kernel, measured once after each boot. */
#ifndef RSSCK_SCAN_MEASURE_H
#define RSSCK_SCAN_MEASURE_H

#include "scan/audit/audit.h"

/*
 * Fills in *m: measured, or not and why. Takes a tenth of a second, once after each boot: the
 * result is kept in /run/rssck-model, or $XDG_RUNTIME_DIR/rssck-model.
 */
void measure(struct measured *m);

#endif
