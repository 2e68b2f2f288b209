// SPDX-License-Identifier: MIT
/* Helpers of the KSM cases: they write equal or different pages, and wait for ksmd. */
#ifndef CASES_KSM_ROUNDS_H
#define CASES_KSM_ROUNDS_H

#include <rssck/case.h>

#define KSM "/sys/kernel/mm/ksm/"

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
	static const char rounds[] = KSM "full_scans";
	struct patience patience = { .seconds = PATIENCE_S };
	int64_t enough = ksm_number(w, rounds, NULL) + 2;

	while (ksm_number(w, rounds, NULL) < enough)
		workload_wait(w, &patience, "a ksmd that completes two scans");
}

static inline int64_t ksm_merged_of_all(struct workload *w)
{
	return ksm_number(w, KSM "pages_shared", NULL) + ksm_number(w, KSM "pages_sharing", NULL);
}

/*
 * The next two functions return ksm_zero_pages of this process and of the machine; -1 before 6.6.
 */
static inline int64_t ksm_zeroes_now(struct workload *w)
{
	(void)w;
	return workload_number("/proc/self/ksm_stat", "ksm_zero_pages", -1);
}

static inline int64_t ksm_zeroes_of_all(struct workload *w)
{
	(void)w;
	return workload_number(KSM "ksm_zero_pages", NULL, -1);
}

/* Writes pages that equal each other and no page of another process. */
static inline void ksm_write_alike(struct workload *w, char *p, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		snprintf(p + i * w->page_size, 64, "rssck %d", (int)getpid());
}

/* Writes different content to each page, so that ksmd does not merge the pages. */
static inline void ksm_write_apart(struct workload *w, char *p, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		snprintf(p + i * w->page_size, 64, "own %d %zu", (int)getpid(), i);
}

static inline void ksm_map_alike(struct workload *w, unsigned slot, size_t pages)
{
	w->slot[slot] = workload_anonymous(w, pages);
	ksm_write_alike(w, w->slot[slot], pages);
}

/* Waits until ksmd has merged this number of pages of the process. */
static inline void ksm_wait_for_merged(struct workload *w, size_t pages)
{
	struct patience patience = { .seconds = PATIENCE_S };

	while (ksm_number(w, "/proc/self/ksm_merging_pages", NULL) != (int64_t)pages)
		workload_wait(w, &patience, "a ksmd that merges %zu pages", pages);
}

/* Skips the case if max_page_sharing does not allow this number of pages to be merged into one. */
static inline void ksm_needs_sharing(struct workload *w, size_t pages)
{
	int64_t most = workload_number(KSM "max_page_sharing", NULL, INT64_MAX);

	if (most < (int64_t)pages)
		workload_skip(w, "a ksmd that merges %zu pages into one (max_page_sharing is %lld)",
			      pages, (long long)most);
}

/* Waits until ksmd has merged these equal pages. The process must have no other merged page. */
static inline void ksm_merge(struct workload *w, void *p, size_t pages)
{
	ksm_needs_sharing(w, pages);
	workload_advise(w, p, pages * w->page_size, MADV_MERGEABLE);
	ksm_wait_for_merged(w, pages);
}

/* A posting: n of the `by` entries that map one merged page. */
#define MERGED(n, by, ...) ANON_WRITE(n, .also = PAGE_KSM, .sharers = (by), __VA_ARGS__)

#endif
