// SPDX-License-Identifier: MIT
#ifndef RSSCK_MEASURE_H
#define RSSCK_MEASURE_H

#include "engine/workload/state.h"

/*
 * Measures the model of every counter into e->models. Returns 0, or -1 with a message in `why` if
 * the workload failed. An unknown model is a finding, not an error. If a limit prevents the
 * measurement, `why` names the limit and the models are unknown.
 */
int models_measure(struct engine *e, char *why, size_t size);

#endif
