// SPDX-License-Identifier: MIT
/* Guard regions survive MADV_DONTNEED and similar advice, mprotect, mremap and fork. */
#include <rssck/case.h>

enum { PAGES = 16, GUARDS = 4, REGION = 0, CHILD = 1 };

/* write(2) reads from each page: EFAULT shows that the page is guarded. */
static void must_be_guarded(struct workload *w, const char *after)
{
	const char *p = w->slot[REGION];
	int fd[2];

	workload_must(w, pipe(fd), "pipe");
	for (size_t i = 0; i < GUARDS; i++)
		if (write(fd[1], p + i * w->page_size, 1) >= 0 || errno != EFAULT)
			workload_fail(w, "guard %zu is missing after %s", i, after);
	workload_checked(w);
	close(fd[0]);
	close(fd[1]);
}

/* Expects the guards that pagemap shows: all of them, or none on kernels before 6.15. */
static void expect_guards(struct workload *w, unsigned process)
{
	int64_t seen = workload_pages_marked(w, w->slot[REGION], PAGES, PAGEMAP_GUARD);

	workload_expect(w, GUARDED(seen, .process = process));
}

static void install(struct workload *w)
{
	w->slot[REGION] = workload_written(w, PAGES);
	workload_advise(w, w->slot[REGION], GUARDS * w->page_size, MADV_GUARD_INSTALL);
	must_be_guarded(w, "MADV_GUARD_INSTALL");
	expect_guards(w, 0);
}

static void advise(struct workload *w)
{
	static const struct {
		int advice;
		const char *name;
	} advice[] = {
		{ MADV_DONTNEED, "MADV_DONTNEED" },
		{ MADV_FREE, "MADV_FREE" },
		{ MADV_COLD, "MADV_COLD" },
		{ MADV_PAGEOUT, "MADV_PAGEOUT" },
		{ MADV_GUARD_INSTALL, "a second MADV_GUARD_INSTALL" },
	};

	for (size_t i = 0; i < sizeof(advice) / sizeof(*advice); i++) {
		if (madvise(w->slot[REGION], GUARDS * w->page_size, advice[i].advice) < 0)
			workload_die(w, "%s: %m", advice[i].name);
		must_be_guarded(w, advice[i].name);
	}
}

static void be_refused(struct workload *w)
{
	if (madvise(w->slot[REGION], GUARDS * w->page_size, MADV_POPULATE_WRITE) == 0)
		workload_fail(w, "MADV_POPULATE_WRITE succeeds on guards, but should fail");
	workload_protect(w, w->slot[REGION], GUARDS * w->page_size, PROT_READ);
	workload_protect(w, w->slot[REGION], GUARDS * w->page_size, PROT_READ | PROT_WRITE);
	must_be_guarded(w, "mprotect");
}

static void move(struct workload *w)
{
	step_remap(w);
	must_be_guarded(w, "mremap");
}

static void fork_child(struct workload *w)
{
	workload_fork(w, CHILD);
	must_be_guarded(w, "fork");
	expect_guards(w, CHILD);
}

enum { LEFT = PAGES - GUARDS };

CASE(anonymous_guard_stays) {
	.claim =
		"Guard regions survive MADV_DONTNEED, MADV_FREE, MADV_COLD, MADV_PAGEOUT, mprotect, mremap and fork, and have no resident pages afterwards",
	.because = "A PTE marker is not a page. Operations that remove pages skip it; operations "
		   "that move or copy page tables move or copy the marker, too.",
	.said_by = SAID_BY("madvise(2), MADV_GUARD_INSTALL"),
	.processes = 1,
	.steps = STEPS(STEP("install guards", install, .checks = 1,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(LEFT))),
		       STEP("advise", advise, .checks = 5),
		       STEP("populate, protect", be_refused, .checks = 1),
		       STEP("grow, perhaps move", move, .pages = PAGES, .becomes = 2 * PAGES,
			    .checks = 1, MOVES(VIRT_DATA(PAGES))),
		       STEP("fork", fork_child, .checks = 1,
			    MOVES(SHARED_WITH(CHILD, ANON_WRITE, LEFT),
				  VIRT_DATA(2 * PAGES, .process = CHILD))),
		       STEP("advise in the child", advise, .process = CHILD, .checks = 5),
		       STEP("the child ends", step_reap, .child = CHILD,
			    MOVES(RESHARED(ANON_WRITE, LEFT, 2, 1)))),
};
