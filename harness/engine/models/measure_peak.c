// SPDX-License-Identifier: MIT
/*
 * Measures the model of VmHWM. The kernel prints the larger of the current count and the peak that
 * it stored when memory was last unmapped. So the stored peak shows only after the count falls.
 * Each measurement begins with settled counters, touches a few pages, and unmaps other memory.
 * VmHWM then shows how many of the touched pages the kernel had counted. This needs no other
 * counter's model.
 */
#include "judge/calibrate.h"
#include "recorder.h"

/*
 * FALL_LEAST: the smallest number of pages to unmap, more than are usually held back. FAR: larger
 * than the batch of 8,192 CPUs.
 */
enum { FALL_LEAST = 512, FAR = 32768, REGION = 16 * FAR };

/*
 * Returns how many of n touched pages VmHWM includes, after `faults` faults that map nothing; -1 on
 * errors.
 */
static int64_t seen_of(struct recorder *r, int64_t n, int64_t faults)
{
	int64_t fall = 2 * n > FALL_LEAST ? 2 * n : FALL_LEAST, top;

	if (recorder_ask(r, STEP_BALLAST, fall) < 0 || recorder_settle(r) < 0 ||
	    recorder_ask(r, STEP_RESET_PEAK, 0) < 0 || recorder_ask(r, STEP_TOUCH, n) < 0 ||
	    (faults && recorder_ask(r, STEP_FAILING_FAULTS, faults) < 0))
		return -1;
	top = recorder_page_tables(r);
	if (top < 0 || recorder_ask(r, STEP_DROP_BALLAST, 0) < 0 || recorder_read(r) < 0)
		return -1;
	if (!r->values.have[METRIC_STATUS_VMHWM])
		return -1;
	return r->values.of[METRIC_STATUS_VMHWM] / (r->e->host.page_size / 1024) - (top - n);
}

/*
 * Finds, by bisection, the smallest number of touched pages at which VmHWM includes any of them. It
 * is more than `few` and at most `many`.
 */
static int64_t between(struct recorder *r, int64_t few, int64_t many)
{
	while (many - few > 1) {
		int64_t middle = few + (many - few) / 2, seen = seen_of(r, middle, 0);

		if (seen < 0)
			return -1;
		if (seen)
			many = middle;
		else
			few = middle;
	}
	return many;
}

/*
 * Like between(), without known bounds: tries 1, then `guess`, then powers of two up to FAR.
 * Returns 0 if no page is ever included, or -1 on errors.
 */
static int64_t fewest_seen(struct recorder *r, int64_t guess)
{
	int64_t seen = seen_of(r, 1, 0);

	if (seen)
		return seen < 0 ? -1 : 1;
	if (guess > 1 && seen_of(r, guess - 1, 0) == 0 && seen_of(r, guess, 0) > 0)
		return guess;
	for (int64_t n = 2; n <= FAR; n *= 2) {
		seen = seen_of(r, n, 0);
		if (seen)
			return seen < 0 ? -1 : between(r, n / 2, n);
	}
	return 0;
}

static struct fall fall(struct recorder *r, int64_t guess)
{
	struct fall f = { .guess = guess, .fewest = fewest_seen(r, guess) };

	if (f.fewest == 1)
		f.seen_of_few = seen_of(r, FALL_FEW, 0);
	if (f.fewest <= 1)
		return f;
	f.seen_of_fewest = seen_of(r, f.fewest, 0);
	f.seen_of_half = seen_of(r, f.fewest / 2, 0);
	f.seen_of_half_after_faults = seen_of(r, f.fewest / 2, 2 * f.fewest + FALL_FAULTS);
	return f;
}

int models_measure_peak(struct recorder *r)
{
	struct counter_model *m = &r->e->models.of[METRIC_STATUS_VMHWM];
	struct fall f;

	*m = (struct counter_model) { .kind = MODEL_ABSENT };
	r->maxrss = -1;
	if (recorder_start(r, ACCOUNT_ANON, REGION) < 0)
		return -1;
	f = fall(r, model_for(&r->e->models, METRIC_STATUS_VMHWM)->batch);
	if (f.fewest >= 0)
		*m = model_from_fall(&f);
	session_end(&r->s);
	return 0;
}
