// SPDX-License-Identifier: MIT
/* MADV_GUARD_INSTALL should return, even on shared memory that userfaultfd write-protects. */
#include "protected.h"
#include <setjmp.h>
#include <sys/time.h>

enum { GUARDS = 16, TURNS = 5, TURN_US = 50000 };
STEP_SYMBOLS(INSTALL);

static sigjmp_buf out;
static volatile sig_atomic_t turns;

/* The timer counts CPU time only, so that waiting for a CPU does not look like an endless call. */
static void on_alarm(int unused)
{
	(void)unused;
	if (++turns == TURNS)
		siglongjmp(out, 1);
}

static void set_alarm(suseconds_t us)
{
	struct itimerval each = { { 0, us }, { 0, us } };

	signal(SIGPROF, us ? on_alarm : SIG_IGN);
	setitimer(ITIMER_PROF, &each, NULL);
}

/* Returns false if the call has not returned after a quarter of a second of CPU time. */
static bool install_returns(struct workload *w, volatile int *error)
{
	volatile bool returned = false;

	turns = 0;
	if (!sigsetjmp(out, 1)) {
		set_alarm(TURN_US);
		if (madvise(w->slot[REGION], GUARDS * w->page_size, MADV_GUARD_INSTALL) < 0)
			*error = errno;
		returned = true;
	}
	set_alarm(0);
	return returned;
}

/*
 * An interrupted call leaves its pages unmapped, with markers of userfaultfd. A read maps them
 * again.
 */
static void install(struct workload *w)
{
	int64_t before = marked(w, PAGEMAP_UFFD_WP);
	volatile int error = 0;
	bool returned = install_returns(w, &error);

	if (error)
		workload_skip(w, "MADV_GUARD_INSTALL of shared memory: %s", strerror(error));
	workload_report(w, "returned", returned);
	workload_report(w, "present", workload_pages_present(w, w->slot[REGION], PAGES));
	if (!returned)
		touch_read(w, w->slot[REGION], GUARDS);
	workload_report(w, "guards", marked(w, PAGEMAP_GUARD));
	workload_report(w, "protected", marked(w, PAGEMAP_UFFD_WP));
	workload_expect(w, GUARDED(marked(w, PAGEMAP_GUARD)), SHMEM_WRITE(returned ? -GUARDS : 0),
			UFFD_PROTECTED(marked(w, PAGEMAP_UFFD_WP) - before));
}

static void judge(const struct trial *t, struct judgement *j)
{
	bool returned = trial_reported(t, INSTALL, "returned");

	judge_fact(j, "guard_pages.install_on_protected_shared_memory", "%s",
		   returned ? "returns" : "never returns");
	judge_reported(t, j, INSTALL, "present", "present", PAGES - GUARDS,
		       "the requested pages are unmapped, even if the call does not return");
	judge_reported(t, j, INSTALL, "guards", "bit 58", returned ? GUARDS : 0,
		       "the requested pages are guards if the call returns");
	judge_reported(t, j, INSTALL, "protected", "bit 57", returned ? PAGES - GUARDS : PAGES,
		       "other pages stay protected");
}

CASE(shmem_userfaultfd_guarded) {
	.claim =
		"MADV_GUARD_INSTALL removes pages of shared memory from RES, even if userfaultfd write-protects them; on all tested kernels the call then returns only when a signal ends it",
	.because = "madvise_guard_install() zaps pages until all entries are empty, then writes "
		   "markers. Zapping a write-protected file page leaves a userfaultfd marker in "
		   "its entry, so the entry is not empty. On kernels that do not overwrite this "
		   "marker, the call restarts until a signal ends it.",
	.said_by = SAID_BY("madvise(2), MADV_GUARD_INSTALL"),
	.steps = STEPS(WRITE_AND_PROTECT, STEP_AS(INSTALL, "install guards", install)),
	.facts = FACTS(FACT("guard_pages.install_on_protected_shared_memory",
			    "MADV_GUARD_INSTALL on shared memory that userfaultfd write-protects",
			    "returns|never returns")),
	.judge = judge,
};
