// SPDX-License-Identifier: MIT
/*
 * Without UFFD_FEATURE_EVENT_REMAP, mremap unregisters the mapping, so no page of it stays
 * write-protected.
 */
#include <rssck/case.h>

enum { PAGES = 16, REGION = 0, PROTECTED = 0 };
STEP_SYMBOLS(MREMAP);

/*
 * Returns how many pages one page table maps. The mapping has as many, so that mremap may move the
 * whole table.
 */
static size_t room(const struct workload *w)
{
	return workload_table_bytes(w) / w->page_size;
}

static void write_and_protect(struct workload *w)
{
	size_t bytes = workload_table_bytes(w);
	char *p = workload_aligned_map(w, bytes, bytes, -1);
	int fd;

	w->slot[REGION] = p;
	touch_write(w, p, PAGES);
	fd = workload_userfaultfd(w, p, bytes, UFFDIO_REGISTER_MODE_WP, 0);
	if (workload_userfaultfd_protect(fd, p, bytes, true) < 0)
		workload_skip(w, "UFFDIO_WRITEPROTECT: %m");
	w->number[PROTECTED] = workload_pages_marked(w, p, room(w), PAGEMAP_UFFD_WP);
	if (!w->number[PROTECTED])
		workload_skip(w, "bit 57 of pagemap (Linux 5.14)");
	workload_expect(w, VIRT_DATA((int64_t)room(w)), UFFD_PROTECTED(w->number[PROTECTED]));
}

static void move(struct workload *w)
{
	size_t bytes = workload_table_bytes(w);
	void *to = workload_aligned_map(w, bytes, bytes, -1);
	int64_t left;

	if (mremap(w->slot[REGION], bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) == MAP_FAILED)
		workload_die(w, "mremap: %m");
	workload_forget(w, w->slot[REGION]);
	w->slot[REGION] = to;
	left = workload_pages_marked(w, to, room(w), PAGEMAP_UFFD_WP);
	workload_report(w, "left", left);
	workload_report(w, "were", w->number[PROTECTED]);
	workload_expect(w, UFFD_PROTECTED(left - w->number[PROTECTED]));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t left = trial_reported(t, MREMAP, "left");

	judge_fact_of(j, "mremap.write_protected_by_userfaultfd", left,
		      trial_reported(t, MREMAP, "were"), "no more", "still", "in part");
}

CASE(anonymous_userfaultfd_remapped) {
	.claim = "Without UFFD_FEATURE_EVENT_REMAP no page that mremap moves stays "
		 "write-protected by userfaultfd, even if mremap moves a whole page table",
	.because = "Without UFFD_FEATURE_EVENT_REMAP the new mapping is not registered "
		   "(mremap_userfaultfd_prep()). move_ptes() therefore clears the uffd-wp bit of "
		   "each entry, because no later call could clear it.",
	.said_by = SAID_BY("ioctl_userfaultfd(2), UFFDIO_WRITEPROTECT",
			   "Documentation/admin-guide/mm/userfaultfd.rst"),
	.steps = STEPS(STEP("write and protect", write_and_protect, MOVES(ANON_WRITE(PAGES))),
		       STEP_AS(MREMAP, "mremap", move),
		       STEP("write it", step_rewrite, .pages = PAGES, .checks = 1)),
	.posts = POSTS(VIRT_DATA(1), UFFD_PROTECTED(1)),
	.facts = FACTS(FACT("mremap.write_protected_by_userfaultfd",
			    "Memory that mremap() moved is write-protected by userfaultfd",
			    "no more")),
	.judge = judge,
};
