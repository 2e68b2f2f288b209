// SPDX-License-Identifier: MIT
/* A huge page that userfaultfd write-protects stays protected after migration. */
#include <rssck/case.h>

enum { REGION = 0 };

static void write_and_protect(struct workload *w)
{
	int64_t seen, clean;
	int fd;

	w->slot[REGION] = workload_huge_map(w, 1, -1);
	workload_huge_write(w, w->slot[REGION], 1);
	fd = workload_userfaultfd(w, w->slot[REGION], w->huge_page_size, UFFDIO_REGISTER_MODE_WP,
				  0);
	if (workload_userfaultfd_protect(fd, w->slot[REGION], w->huge_page_size, true) < 0)
		workload_skip(w, "UFFDIO_WRITEPROTECT: %m");
	seen = workload_pages_marked(w, w->slot[REGION], (size_t)w->huge, PAGEMAP_UFFD_WP);
	if (!seen)
		workload_skip(w, "bit 57 of pagemap for huge pages (Linux 5.14)");
	/* Some kernels lose the PMD's dirty bit here (thp/split_by_protect). */
	clean = workload_pages_clean(w, w->slot[REGION]);
	workload_expect(w, VIRT_DATA(w->huge), UFFD_PROTECTED(w->huge),
			POSTING(ACCOUNT_ANON, (clean ? 0 : PAGE_DIRTY) | PAGE_HUGE, w->huge));
}

/* move_pages(2) migrates the whole huge page, although it gets the address of one page. */
static void migrate_away(struct workload *w)
{
	workload_migrate_away(w, w->slot[REGION]);
	workload_checked(w);
}

static void migrate_back(struct workload *w)
{
	workload_migrate_back(w, w->slot[REGION]);
	workload_checked(w);
}

CASE(thp_userfaultfd_migration) {
	.claim =
		"A huge page that userfaultfd write-protects stays fully protected when it migrates",
	.because = "set_pmd_migration_entry() copies the uffd-wp bit into the migration entry "
		   "(pmd_swp_mkuffd_wp()), and remove_migration_pmd() copies it back.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/userfaultfd.rst",
			   "Documentation/mm/page_migration.rst"),
	.needs = NEEDS("thp", "guest"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("write and protect", write_and_protect),
		       STEP("migrate away", migrate_away, .checks = 1),
		       STEP("migrate back", migrate_back, .checks = 1)),
	.posts = POSTS(VIRT_DATA(1), UFFD_PROTECTED(1)),
};
