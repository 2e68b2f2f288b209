// SPDX-License-Identifier: MIT
/* Write-protects memory through userfaultfd, and checks whether writes to it are stopped. */
#ifndef CASES_KSM_WATCHED_H
#define CASES_KSM_WATCHED_H

#include <rssck/case.h>

STEP_SYMBOLS(MERGE, WRITE);

/* No thread handles faults, so UFFD_FEATURE_SIGBUS makes a forbidden write fail immediately. */
static inline void ksm_protect(struct workload *w, void *p, size_t pages)
{
	size_t bytes = pages * w->page_size;
	int fd = workload_userfaultfd(w, p, bytes, UFFDIO_REGISTER_MODE_WP, UFFD_FEATURE_SIGBUS);

	if (workload_userfaultfd_protect(fd, p, bytes, true) < 0)
		workload_skip(w, "UFFDIO_WRITEPROTECT: %m");
	if (!workload_pages_marked(w, p, pages, PAGEMAP_UFFD_WP))
		workload_skip(w, "bit 57 of pagemap (Linux 5.14)");
}

/* Reports how many pages are still protected; before the merge all were. */
static inline void ksm_still_protected(struct workload *w, void *p, size_t pages)
{
	int64_t left = workload_pages_marked(w, p, pages, PAGEMAP_UFFD_WP);

	workload_report(w, "protected", left);
	workload_expect(w, UFFD_PROTECTED(left - (int64_t)pages));
}

/*
 * The kernel itself writes to the page, in read(2) from a pipe. Returns false if userfaultfd stops
 * the write.
 */
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
 * Writes different content to each page, so that ksmd does not merge the pages. Returns how many
 * writes userfaultfd stopped.
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
 * Checks that userfaultfd stops writes to exactly the protected pages. The writes happen in step
 * WRITE. Returns how many pages were protected after `merge`.
 */
static inline int64_t ksm_judge_stopped(const struct trial *t, struct judgement *j, unsigned merge)
{
	int64_t left = trial_reported(t, merge, "protected");

	judge_reported(t, j, WRITE, "stopped", "writes that userfaultfd stopped", left,
		       "userfaultfd stops exactly the writes to pages with bit 57 of pagemap");
	return left;
}

#endif
