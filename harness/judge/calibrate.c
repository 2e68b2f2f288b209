// SPDX-License-Identifier: MIT
/*
 * Derives a counter model from a staircase. The functions depend on their arguments only, so that
 * unit tests can try any staircase.
 */
#include "calibrate.h"

enum { JUMPS_ENOUGH = 3 };

/*
 * Returns the period of a staircase, or 0 if it has none. It has a period if it has at least
 * JUMPS_ENOUGH jumps, all gaps between them are equal, each jump is as high as the gap before it,
 * and nothing changes in between. The first jump may have any height, because it includes pages
 * held back before the first touch.
 */
static int64_t period(const int64_t *said, size_t n, int64_t *last_jump)
{
	int64_t gap = 0;
	size_t jumps = 0, previous = 0;

	*last_jump = 0;
	for (size_t i = 1; i < n; i++) {
		int64_t jump = said[i] - said[i - 1];

		if (!jump)
			continue;
		*last_jump = jump;
		if (jumps > 0) {
			int64_t here = (int64_t)(i - previous);

			if (jump != here || (gap && here != gap))
				return 0;
			gap = here;
		}
		previous = i;
		jumps++;
	}
	return jumps >= JUMPS_ENOUGH ? gap : 0;
}

struct counter_model model_from_staircase(const struct staircase *c)
{
	struct counter_model m = { .kind = MODEL_UNKNOWN };
	int64_t last_jump, gap = period(c->said, c->n, &last_jump);
	int64_t rest = gap - c->held;

	m.batch = last_jump > 0 ? (unsigned)last_jump : 0;
	if (gap == 1) {
		m.kind = MODEL_EXACT;
		m.batch = 0;
		return m;
	}
	if (gap == 0 || (c->gap_there && c->gap_there != gap))
		return m;
	m.batch = (unsigned)gap;
	if (c->flushed_by_faults) {
		if (c->after_other == gap && (!c->gap_there || c->after_move == gap))
			m.kind = MODEL_PER_THREAD;
	} else if (c->after_other == rest && (!c->gap_there || c->after_move == rest)) {
		m.kind = MODEL_PER_CPU;
	}
	return m;
}

struct counter_model model_from_fall(const struct fall *f)
{
	if (f->fewest == 1 && f->seen_of_few == FALL_FEW)
		return (struct counter_model) { .kind = MODEL_EXACT };
	/*
	 * Settling may end in the middle of a batch of faults, so `fewest` may be less than the
	 * batch.
	 */
	if (f->fewest > 1 && f->seen_of_half_after_faults == f->fewest / 2)
		return (struct counter_model) {
			.kind = MODEL_PER_THREAD,
			.batch = (unsigned)(f->guess > f->fewest ? f->guess : f->fewest),
		};
	if (f->fewest > 1 && f->seen_of_fewest == f->fewest && !f->seen_of_half &&
	    !f->seen_of_half_after_faults)
		return (struct counter_model) { .kind = MODEL_PER_CPU,
						.batch = (unsigned)f->fewest };
	return (struct counter_model) { .kind = MODEL_UNKNOWN };
}
