// SPDX-License-Identifier: MIT
/* Makes zero-filled pages that KSM replaces by the zero page. */
#ifndef CASES_KSM_ZEROES_H
#define CASES_KSM_ZEROES_H

#include "rounds.h"

enum { PAGES = 64, REGION = 0 };

static inline void ksm_report_zero_pages(struct workload *w)
{
	workload_report(w, "of this process", ksm_zeroes_now(w));
	workload_report(w, "of all", ksm_zeroes_of_all(w));
}

/* Writes make each page present; read faults would map the zero page. */
static inline void ksm_write_zeroes(struct workload *w)
{
	volatile char *p = w->slot[REGION] = workload_anonymous(w, PAGES);

	for (size_t i = 0; i < PAGES; i++)
		p[i * w->page_size] = 0;
}

static inline void ksm_merge_zeroes(struct workload *w)
{
	static const char setting[] = KSM "use_zero_pages";
	struct patience patience = { .seconds = 10 };
	int64_t left;

	workload_set(w, setting, "1");
	workload_advise(w, w->slot[REGION], PAGES * w->page_size, MADV_MERGEABLE);
	do
		left = workload_pages_private(w, w->slot[REGION]);
	while (left && workload_pause(&patience));
	workload_set(w, setting, "0");
	if (left)
		workload_wait(w, &patience, "a ksmd that replaces %d pages of zeroes", PAGES);
	ksm_report_zero_pages(w);
}

static inline void ksm_unmap_zeroes(struct workload *w)
{
	workload_unmap(w, w->slot[REGION], PAGES * w->page_size);
	ksm_report_zero_pages(w);
}

/* The first two steps of a case. */
#define ZEROES_MERGED                                                                       \
	STEP("write zeroes", ksm_write_zeroes, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES))), \
		STEP_AS(MERGEABLE, "MADV_MERGEABLE", ksm_merge_zeroes,                      \
			MOVES(ANON_WRITE(-PAGES), ZERO_PLACED(PAGES)))

static inline int64_t ksm_zero_pages_of_all(const struct trial *t, unsigned step)
{
	return trial_reported(t, step, "of all");
}

#endif
