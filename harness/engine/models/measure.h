// SPDX-License-Identifier: MIT
#ifndef RSSCK_MEASURE_H
#define RSSCK_MEASURE_H

#include "engine/workload/state.h"

/*
 * Measures the model of every counter into e->models. Returns 0, or -1 with a sentence in `why` if
 * the workload could not be driven; an unknown model is not an error but a finding. If a limit
 * prevents the measurement, `why` names it and the models are unknown.
 */
int models_measure(struct engine *e, char *why, size_t size);

#endif
