// SPDX-License-Identifier: MIT
/* Measures the counter models, class by class, and the model of the peak. */
#include "base/memory.h"
#include "measure.h"
#include "recorder.h"
#include <stdlib.h>

/* Without enough swap VmSwap has no model of its own. */
static void measure_swap(struct recorder *r)
{
	if (models_measure_class(r, ACCOUNT_SWAP) < 0 ||
	    r->e->models.of[METRIC_STATUS_VMSWAP].kind == MODEL_UNKNOWN)
		r->e->models.of[METRIC_STATUS_VMSWAP].kind = MODEL_ABSENT;
}

/*
 * Marks the models that were not measured, except that of VmSwap, as unknown: the workload could
 * not make a call, because of a lack of memory, a limit or a filter.
 */
static void leave_unknown(struct models *m)
{
	static const enum metric_id *const lists[] = { modelled, modelled_apart };

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		for (const enum metric_id *id = lists[i]; *id != METRIC_NONE; id++)
			if (m->of[*id].kind == MODEL_ABSENT && *id != METRIC_STATUS_VMSWAP)
				m->of[*id].kind = MODEL_UNKNOWN;
}

int models_measure(struct engine *e, char *why, size_t size)
{
	static const enum account classes[] = { ACCOUNT_ANON, ACCOUNT_FILE, ACCOUNT_SHMEM };
	struct recorder *r = calloc(1, sizeof(*r));
	int failed = 0;

	*why = '\0';
	if (!r)
		memory_gone("the calibration");
	for (int id = 0; id < METRIC_COUNT; id++)
		e->models.of[id] = (struct counter_model) { .kind = MODEL_ABSENT };
	e->models.cpus = e->host.nr_cpu_list;
	r->e = e;
	curves_free(&e->curves, &e->nr_curves);
	for (size_t i = 0; !failed && i < sizeof(classes) / sizeof(*classes); i++)
		failed = models_measure_class(r, classes[i]);
	if (!failed)
		failed = models_measure_peak(r);
	if (!failed)
		measure_swap(r);
	if (failed)
		snprintf(why, size, "calibration: %s", r->s.why);
	if (failed && r->lacks) {
		leave_unknown(&e->models);
		failed = 0;
	}
	for (size_t i = 0; i < e->nr_curves; i++)
		curve_thin(&e->curves[i]);
	if (failed)
		curves_free(&e->curves, &e->nr_curves);
	for (int i = 0; i < RECORDED_COUNTERS; i++)
		free(r->said[i]);
	text_free(&r->rollup);
	free(r);
	return failed;
}
