// SPDX-License-Identifier: MIT
/*
 * mremap moves the last pages of memory registered with userfaultfd to the address where that
 * memory ends. The other pages should stay registered; on some kernels they do not.
 */
#include <rssck/case.h>

enum { PAGES = 16, MOVED = 4, REGION = 0, UFFD = 0 };
STEP_SYMBOLS(MAP, WATCH, MREMAP, WRITE_PROTECT_IT);

/* The memory is never touched, so no anon_vma keeps the moved part from merging with the rest. */
static void watch(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;

	workload_protect(w, w->slot[REGION], bytes, PROT_READ | PROT_WRITE);
	w->fd[UFFD] = workload_userfaultfd(w, w->slot[REGION], bytes, UFFDIO_REGISTER_MODE_WP, 0);
}

static void move(struct workload *w)
{
	size_t bytes = MOVED * w->page_size;
	char *p = w->slot[REGION];

	if (mremap(p + (PAGES - MOVED) * w->page_size, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
		   p + PAGES * w->page_size) == MAP_FAILED)
		workload_die(w, "mremap: %m");
}

/* UFFDIO_WRITEPROTECT fails with ENOENT on an unregistered range. */
static void protect(struct workload *w)
{
	bool done = !workload_userfaultfd_protect(w->fd[UFFD], w->slot[REGION],
						  (PAGES - MOVED) * w->page_size, true);

	if (!done && errno != ENOENT)
		workload_die(w, "UFFDIO_WRITEPROTECT: %m");
	workload_report(w, "done", done);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct mapping *before = trial_mapping(t, WATCH, 0, MAP, "address");
	const struct mapping *m = trial_mapping(t, MREMAP, 0, MAP, "address");
	bool watched;

	if (!m || !before || !mapping_has_flag(before, "uw"))
		return;
	watched = mapping_has_flag(m, "uw");
	judge_true(j, WRITE_PROTECT_IT,
		   watched == (trial_reported(t, WRITE_PROTECT_IT, "done") == 1),
		   "UFFDIO_WRITEPROTECT succeeds if and only if VmFlags has uw");
	judge_yes_no(j, "mremap.beside_watched_memory_leaves_it_watched", watched);
}

CASE(anonymous_userfaultfd_merged) {
	.claim =
		"If mremap moves the last pages of untouched memory registered with userfaultfd to the address where that memory ends, the other pages should stay registered; on some kernels they do not",
	.because =
		"Memory that was never touched merges with the mapping next to its new place (copy_vma()). On kernels before 6.12.118 and 7.3.4 mremap_userfaultfd_prep() then unregisters the whole merged mapping, not only the moved part: UFFDIO_WRITEPROTECT fails, and VmFlags has no uw.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_REGISTER",
			   "Documentation/admin-guide/mm/userfaultfd.rst"),
	.steps = STEPS(STEP_AS(MAP, "map", step_map, .pages = PAGES + MOVED, .prot = NO_ACCESS,
			       .report = "address", MOVES(VIRT_OTHER(PAGES + MOVED))),
		       STEP_AS(WATCH, "register", watch,
			       MOVES(VIRT_OTHER(-PAGES), VIRT_DATA(PAGES))),
		       STEP_AS(MREMAP, "mremap", move, MOVES(VIRT_OTHER(-MOVED))),
		       STEP_AS(WRITE_PROTECT_IT, "write-protect the rest", protect, .checks = 1)),
	.facts = FACTS(FACT("mremap.beside_watched_memory_leaves_it_watched",
			    "Does memory stay registered with userfaultfd when mremap() puts "
			    "registered memory next to it?",
			    "yes|no")),
	.judge = judge,
};
