// SPDX-License-Identifier: MIT
/* Waits for ksmd, for the cases of KSM. */
#ifndef CASES_KSM_ROUNDS_H
#define CASES_KSM_ROUNDS_H

#include <rssck/case.h>

enum { PATIENCE_S = 10 };

/* Reads a number from a file; skips the case if the file or field does not exist. */
static inline int64_t ksm_number(struct workload *w, const char *path, const char *field)
{
	int64_t n = workload_number(path, field, INT64_MIN);

	if (n == INT64_MIN)
		workload_skip(w, "%s%s%s", field ? field : "", field ? " in " : "", path);
	return n;
}

/*
 * Waits until ksmd has completed two scans, because the first of them may have started before the
 * call.
 */
static inline void ksm_wait_for_rounds(struct workload *w)
{
	static const char rounds[] = "/sys/kernel/mm/ksm/full_scans";
	struct patience patience = { .seconds = PATIENCE_S };
	int64_t enough = ksm_number(w, rounds, NULL) + 2;

	while (ksm_number(w, rounds, NULL) < enough)
		workload_wait(w, &patience, "a ksmd that completes two scans");
}

/* Waits until ksmd has merged these equal pages. The process must have no other merged page. */
static inline void ksm_merge(struct workload *w, void *p, size_t pages)
{
	struct patience patience = { .seconds = PATIENCE_S };

	if (madvise(p, pages * w->page_size, MADV_MERGEABLE) < 0)
		workload_skip(w, "MADV_MERGEABLE: %m");
	while (ksm_number(w, "/proc/self/ksm_merging_pages", NULL) != (int64_t)pages)
		workload_wait(w, &patience, "a ksmd that merges %zu pages", pages);
}

#endif
