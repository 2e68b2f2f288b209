// SPDX-License-Identifier: MIT
#ifndef RSSCK_MEASURE_H
#define RSSCK_MEASURE_H

#include "engine/workload/state.h"

/*
 * Measures the model of every counter into e->models. Returns 0, or -1 with a message in `why` if
 * the workload failed. An unknown model is a finding, not an error. If a limit or a missing
 * permission ends the measurement, the models that were not measured are unknown, `why` says what
 * is missing, and 0 is returned.
 */
int models_measure(struct engine *e, char *why, size_t size);

#endif
