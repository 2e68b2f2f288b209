// SPDX-License-Identifier: MIT
/* Memory that userfaultfd write-protects, and whether writes to it are stopped. */
#ifndef CASES_KSM_WATCHED_H
#define CASES_KSM_WATCHED_H

#include <rssck/case.h>

STEP_SYMBOLS(MERGE, WRITE);

/* UFFD_FEATURE_SIGBUS: a forbidden write fails, because no handler would resolve a fault. */
static inline void ksm_protect(struct workload *w, void *p, size_t pages)
{
	size_t bytes = pages * w->page_size;
	int fd = workload_userfaultfd(w, p, bytes, UFFDIO_REGISTER_MODE_WP, UFFD_FEATURE_SIGBUS);

	if (workload_userfaultfd_protect(fd, p, bytes, true) < 0)
		workload_skip(w, "UFFDIO_WRITEPROTECT: %m");
	if (!workload_pages_marked(w, p, pages, PAGEMAP_UFFD_WP))
		workload_skip(w, "bit 57 of pagemap (Linux 5.14)");
}

/* Counts the pages that are still protected; before the merge all of them were. */
static inline void ksm_still_protected(struct workload *w, void *p, size_t pages)
{
	int64_t left = workload_pages_marked(w, p, pages, PAGEMAP_UFFD_WP);

	workload_report(w, "protected", left);
	workload_expect(w, UFFD_PROTECTED(left - (int64_t)pages));
}

/* The kernel writes the page, from a pipe. False: userfaultfd has stopped it. */
static inline bool ksm_write(struct workload *w, void *p, uint32_t what)
{
	int ends[2];
	ssize_t n;

	workload_must(w, pipe(ends), "pipe");
	workload_must(w, write(ends[1], &what, sizeof(what)), "write");
	n = read(ends[0], p, sizeof(what));
	if (n < 0 && errno != EFAULT)
		workload_die(w, "read: %m");
	close(ends[0]);
	close(ends[1]);
	return n > 0;
}

/*
 * How many writes were stopped. Each write has different content, or ksmd would merge the pages
 * again.
 */
static inline int64_t ksm_writes_stopped(struct workload *w, char *p, size_t pages)
{
	int64_t stopped = 0;

	for (uint32_t i = 0; i < pages; i++)
		stopped += !ksm_write(w, p + i * w->page_size, i + 1);
	workload_report(w, "stopped", stopped);
	return stopped;
}

/*
 * Exactly the protected pages must stop writes. Returns how many were protected after `merge`; the
 * writes were in step WRITE.
 */
static inline int64_t ksm_judge_stopped(const struct trial *t, struct judgement *j, unsigned merge)
{
	int64_t left = trial_reported(t, merge, "protected");

	judge_reported(t, j, WRITE, "stopped", "writes that userfaultfd has stopped", left,
		       "a write is stopped where bit 57 of pagemap is on, and nowhere else");
	return left;
}

#endif
