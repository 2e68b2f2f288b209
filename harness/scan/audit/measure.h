// SPDX-License-Identifier: MIT
/* Measures the counter models of this kernel, once after each boot. */
#ifndef RSSCK_SCAN_MEASURE_H
#define RSSCK_SCAN_MEASURE_H

#include "scan/audit/audit.h"

/*
 * Fills in *m, with the reason if the models were not measured. The first call after a boot takes
 * about 0.1 s. The result is kept in /run/rssck-model, or $XDG_RUNTIME_DIR/rssck-model.
 */
void measure(struct measured *m);

#endif
