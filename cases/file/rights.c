// SPDX-License-Identifier: MIT
/*
 * mincore(2), cachestat(2) and MADV_PAGEOUT ask whether the process owns the file or may write it,
 * before they report what is cached of it, or page it out.
 */
#include "stranger.h"

#ifndef SYS_cachestat
enum { SYS_cachestat = 451 }; /* since 6.5 */
#endif

enum { PAGES = 32, HALF = PAGES / 2, PATIENCE_S = 5 };
STEP_SYMBOLS(MINCORE, CACHESTAT, PAGE_OUT, PRIVATE_PAGES);

/* Files that root makes, and whether the user NOBODY may write them. */
static const struct kind {
	const char *name;
	unsigned mode, owner;
	bool may;
} kinds[] = {
	{ "another's read-only file", 0644, 0, false },
	{ "another's file that all may write", 0666, 0, true },
	{ "a file of one's own", 0644, NOBODY, true },
	{ "a read-only file of one's own", 0444, NOBODY, true },
};

enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

/* Makes a file of which the first half is cached. Returns a descriptor for reading. */
static int make(struct workload *w, const struct kind *k)
{
	int fd = workload_file_uncached(w, PAGES), read_only;
	char path[32];

	workload_must(w, fchmod(fd, k->mode), "fchmod");
	if (fchown(fd, k->owner, (gid_t)-1) < 0)
		workload_skip(w, "CAP_CHOWN, and a user %d: fchown: %m", NOBODY);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_only = open(path, O_RDONLY | O_CLOEXEC);
	workload_must(w, read_only, "open");
	close(fd);
	workload_cache(w, read_only, HALF);
	stranger_begin(w);
	if (k->owner != NOBODY && stranger_may_write(read_only) != k->may) {
		stranger_end();
		workload_skip(w, "a file system that obeys the mode of a file");
	}
	stranger_end();
	return read_only;
}

/* ---- calls, as the user NOBODY ---- */

static void ask_mincore(struct workload *w)
{
	for (const struct kind *k = kinds; k < kinds + KINDS; k++) {
		int fd = make(w, k);
		char *p = workload_map(w, PAGES * w->page_size, PROT_READ, MAP_SHARED, fd, 0);
		int64_t cached = workload_pages_in_core(w, p, PAGES), seen;

		stranger_begin(w);
		seen = workload_pages_in_core(w, p, PAGES);
		stranger_end();
		if (seen != (k->may ? cached : PAGES))
			workload_fail(w,
				      "mincore(2) reports %d pages of %s, of which %d are cached",
				      (int)seen, k->name, (int)cached);
		workload_unmap(w, p, PAGES * w->page_size);
		close(fd);
	}
	workload_checked(w);
}

/* Returns nr_cache, or a negative errno. */
static int64_t cached_of(const struct workload *w, int fd)
{
	const uint64_t range[] = { 0, PAGES * w->page_size };
	uint64_t of[5];

	return syscall(SYS_cachestat, fd, range, of, 0) ? -errno : (int64_t)of[0];
}

/* The descriptor of a file that is open for writing is enough, whoever the process is. */
static void ask_cachestat(struct workload *w)
{
	int64_t refused = 0;

	for (const struct kind *k = kinds; k < kinds + KINDS; k++) {
		int fd = make(w, k);
		int64_t cached = cached_of(w, fd), seen;

		if (cached < 0)
			workload_skip_step(w, "cachestat(2): %s", strerror((int)-cached));
		stranger_begin(w);
		seen = cached_of(w, fd);
		stranger_end();
		refused += seen == -EPERM;
		if (seen != cached && (k->may || seen != -EPERM))
			workload_fail(w, "cachestat(2) of %s returns %d, but %d pages are cached",
				      k->name, (int)seen, (int)cached);
		close(fd);
	}
	workload_report(w, "refused", refused);
	workload_checked(w);
}

/*
 * Returns how many of the pages are no longer mapped. MADV_PAGEOUT may leave any page, so
 * it is repeated for some seconds until one goes.
 */
static int64_t page_out(struct workload *w, char *p, int advice, unsigned seconds)
{
	struct patience patience = { .seconds = seconds };
	int64_t before = workload_pages_present(w, p, HALF), gone;

	do {
		stranger_begin(w);
		workload_advise(w, p, HALF * w->page_size, advice);
		stranger_end();
		gone = before - workload_pages_present(w, p, HALF);
	} while (seconds && !gone && workload_pause(&patience));
	return gone;
}

static void page_out_clean(struct workload *w)
{
	for (const struct kind *k = kinds; k < kinds + KINDS; k++) {
		int fd = make(w, k);
		char *p = workload_map(w, HALF * w->page_size, PROT_READ, MAP_SHARED, fd, 0);

		touch_read(w, p, HALF);
		if (page_out(w, p, MADV_COLD, 0))
			workload_fail(w, "MADV_COLD of %s unmaps pages", k->name);
		if ((page_out(w, p, MADV_PAGEOUT, k->may ? PATIENCE_S : 0) > 0) != k->may)
			workload_fail(w, "MADV_PAGEOUT of %s %s", k->name,
				      k->may ? "leaves all pages" : "pages out");
		workload_unmap(w, p, HALF * w->page_size);
		close(fd);
	}
	workload_checked(w);
}

/* A written page of a private mapping is the process's own, whatever the file. */
static void page_out_private(struct workload *w)
{
	int64_t gone[2] = { 0 };
	char area[256], *p;
	int fd;

	if (!workload_swap_area(area, sizeof(area)))
		workload_skip_step(w, "swap (/proc/swaps is empty)");
	for (const struct kind *k = kinds; k < kinds + KINDS; k++) {
		fd = make(w, k);
		p = workload_map(w, HALF * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd,
				 0);
		touch_write(w, p, HALF);
		page_out(w, p, MADV_PAGEOUT, k->may ? PATIENCE_S : 1);
		gone[k->may] += workload_pages_swapped(w, p, HALF) > 0;
		workload_unmap(w, p, HALF * w->page_size);
		close(fd);
	}
	workload_report(w, "may not write", gone[false]);
	workload_report(w, "may write", gone[true]);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t refused = trial_reported_or(t, CACHESTAT, "refused", -1);
	int64_t others = trial_reported_or(t, PRIVATE_PAGES, "may not write", -1);

	if (refused >= 0)
		judge_fact(j, "cachestat.of_anothers_read_only_file", "%s",
			   refused ? "EPERM" : "what is cached");
	if (others < 0)
		return;
	judge_true(j, PRIVATE_PAGES, trial_reported(t, PRIVATE_PAGES, "may write") == KINDS - 1,
		   "MADV_PAGEOUT pages out private pages of a file that one may write");
	judge_fact(j, "MADV_PAGEOUT.private_pages_of_anothers_file", "%s",
		   others ? "go to swap" : "stay");
}

CASE(file_rights) {
	.claim =
		"mincore(2) and cachestat(2) report what is cached, and MADV_PAGEOUT pages out a file, only for a process that owns the file or may write it; MADV_COLD needs no right, and neither do written pages of a private mapping",
	.because = "can_do_mincore(), can_do_cachestat() and can_do_file_pageout() ask "
		   "inode_owner_or_capable() and file_permission(MAY_WRITE), so that no user "
		   "can see or disturb what others read. mincore(2) reports all pages then, "
		   "cachestat(2) fails, MADV_PAGEOUT does nothing.",
	.said_by = SAID_BY("mincore(2)", "madvise(2), MADV_PAGEOUT", "commit 5f537664e705",
			   "commit fd3b1bc3c86e"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP_AS(MINCORE, "mincore as another user", ask_mincore, .checks = 1),
		       STEP_AS(CACHESTAT, "cachestat as another user", ask_cachestat, .checks = 1),
		       STEP_AS(PAGE_OUT, "MADV_COLD and MADV_PAGEOUT as another user",
			       page_out_clean, .checks = 1),
		       STEP_AS(PRIVATE_PAGES, "MADV_PAGEOUT of private pages as another user",
			       page_out_private)),
	.facts = FACTS(FACT("cachestat.of_anothers_read_only_file",
			    "cachestat(2) of another user's read-only file returns",
			    "what is cached|EPERM"),
		       FACT("MADV_PAGEOUT.private_pages_of_anothers_file",
			    "If another user's read-only file is mapped privately, MADV_PAGEOUT of "
			    "its written pages makes them",
			    "go to swap|stay")),
	.judge = judge,
};
