// SPDX-License-Identifier: MIT
/*
 * Write-protection through userfaultfd changes only bit 57 of pagemap. Untouched memory is not
 * protected without UFFD_FEATURE_WP_UNPOPULATED.
 */
#include <rssck/case.h>

enum { PAGES = 128, REGION = 0, UFFD = 0, SEEN = 0, CHILD = 1 };
STEP_SYMBOLS(PROTECT, FORK);

static void make(struct workload *w)
{
	w->slot[REGION] = workload_anonymous(w, PAGES);
	touch_write(w, w->slot[REGION], PAGES / 2);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], PAGES * w->page_size,
					   UFFDIO_REGISTER_MODE_WP, 0);
}

static void set(struct workload *w, bool protect)
{
	if (workload_userfaultfd_protect(w->fd[UFFD], w->slot[REGION], PAGES * w->page_size,
					 protect) < 0)
		workload_skip(w, "UFFDIO_WRITEPROTECT: %m");
}

static void protect(struct workload *w)
{
	set(w, true);
	w->number[SEEN] = workload_pages_marked(w, w->slot[REGION], PAGES, PAGEMAP_UFFD_WP);
	workload_report(w, "seen", w->number[SEEN]);
	workload_expect(w, UFFD_PROTECTED(w->number[SEEN]));
}

static void look(struct workload *w)
{
	if (!w->number[SEEN])
		workload_skip_step(w, "bit 57 of pagemap (Linux 5.14)");
	workload_checked(w);
}

static void unprotect(struct workload *w)
{
	set(w, false);
	workload_expect(w, UFFD_PROTECTED(-w->number[SEEN]));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t seen = trial_reported(t, PROTECT, "seen");

	judge_equal(j, FORK, "pagemap.uffd_wp of the child",
		    trial_value(t, FORK, CHILD, METRIC_PAGEMAP_UFFD_WP), 0,
		    "a child does not inherit userfaultfd's write protection");
	judge_fact_of(j, "userfaultfd.pagemap_bit_57", seen, PAGES / 2, "no", "yes", "some");
}

CASE(anonymous_userfaultfd_protect) {
	.claim =
		"UFFDIO_WRITEPROTECT changes only bit 57 of pagemap (since 5.14). Without UFFD_FEATURE_EVENT_FORK a child does not inherit the protection; a later write is counted as usual",
	.because =
		"The entries of present pages lose their write bit, get the uffd-wp bit, and do not change otherwise. Without UFFD_FEATURE_WP_UNPOPULATED untouched memory stays untouched. Bit 57 of pagemap shows the uffd-wp bit.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_WRITEPROTECT"),
	.processes = 1,
	.steps = STEPS(STEP("register", make, MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES / 2))),
		       STEP_AS(PROTECT, "protect", protect),
		       STEP("pagemap shows it", look, .checks = 1),
		       STEP_AS(FORK, "fork", step_fork, .child = CHILD,
			       MOVES(VIRT_DATA(PAGES, .process = CHILD),
				     SHARED_WITH(CHILD, ANON_WRITE, PAGES / 2))),
		       STEP("the child exits", step_reap, .child = CHILD,
			    MOVES(RESHARED(ANON_WRITE, PAGES / 2, 2, 1))),
		       STEP("unprotect", unprotect),
		       STEP("write all", step_write, .pages = PAGES, MOVES(ANON_WRITE(PAGES / 2)))),
	.facts = FACTS(FACT("userfaultfd.pagemap_bit_57",
			    "Does bit 57 of pagemap show pages that userfaultfd write-protects?",
			    "yes|no")),
	.posts = POSTS(UFFD_PROTECTED(PAGES / 2)),
	.judge = judge,
};
