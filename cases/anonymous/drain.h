// SPDX-License-Identifier: MIT
/* Drains the CPU's batch of pages that were passed to MADV_FREE. */
#ifndef CASES_ANONYMOUS_DRAIN_H
#define CASES_ANONYMOUS_DRAIN_H

#include <rssck/case.h>

/*
 * Each CPU collects up to 31 MADV_FREE pages before it marks them as lazyfree
 * (folio_mark_lazyfree()). MADV_DONTNEED drains this CPU's batch up to 7.2; MADV_COLD (since 5.4)
 * drains it on 7.3, too. `scratch` is one page of memory for both calls.
 */
static inline void drain(struct workload *w, void *scratch)
{
	touch_write(w, scratch, 1);
	workload_advise(w, scratch, w->page_size, MADV_DONTNEED);
	madvise(scratch, w->page_size, MADV_COLD);
}

#endif
