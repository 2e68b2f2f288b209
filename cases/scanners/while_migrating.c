// SPDX-License-Identifier: MIT
/* Another process migrates a mapping between two nodes while its pagemap and smaps are read. */
#include "meanwhile.h"

/* If fewer readings of smaps met a migration, the fact about private pages is not reported. */
enum { MOMENTS_LEAST = 4 };

STEP_SYMBOLS(OF_CLEARED, OF_WRITTEN, OF_PROTECTED, OF_LOCKED, OF_SHARED, OF_SHMEM, OF_FILE_READ);

static bool migrate(const struct workload *w, pid_t of)
{
	return workload_migrate_to_and_fro(w, of, watched.start, watched.pages, MPOL_MF_MOVE_ALL);
}

/*
 * A migration entry is not present, and smaps ignores its young bit. If two processes map a page,
 * its mapcount is 1 while one of the two entries is a migration entry. The dirty flag of a page in
 * the page cache moves to the new page while the migration entry still points to the old page.
 */
static const struct allowed allowed[] = {
	{ ENTRIES_EXCLUSIVE, true, true, ALL_KINDS },
	{ ENTRIES_EXCLUSIVE_ABSENT, false, true, KIND(SHARED) },
	{ SMAPS_PRIVATE, true, true, ALL_KINDS },
	{ SMAPS_PRIVATE_DIRTY, true, true, ALL_KINDS },
	{ SMAPS_PRIVATE_CLEAN, true, true, ALL_KINDS },
	{ SMAPS_SHARED_DIRTY, true, true, ALL_KINDS },
	{ SMAPS_SHARED_CLEAN, true, true, ALL_KINDS },
	{ SMAPS_DIRTY, true, false, KIND(SHMEM) },
	{ SMAPS_REFERENCED, true, false, ALL_KINDS },
	{ SMAPS_PSS, false, true, KIND(SHARED) },
};

static const struct meanwhile_act migration = {
	migrate,
	"a second memory node (in QEMU: -numa node)",
	allowed,
	sizeof(allowed) / sizeof(*allowed),
};

static void read_meanwhile(struct workload *w)
{
	watch_kind(w, &migration);
}

/* Whether smaps counts a private page under migration as private or as shared. */
static void judge_private(const struct trial *t, struct judgement *j)
{
	int64_t moments = 0;
	bool shared = false;

	for (unsigned s = OF_CLEARED; s <= OF_LOCKED; s++) {
		/* A step that was skipped has no such number. */
		if (trial_reported(t, s, "moments in smaps") <= 0)
			continue;
		moments += trial_reported(t, s, "moments in smaps");
		shared |= trial_reported(t, s, "private at least") < MEANWHILE_PAGES;
	}
	if (moments >= MOMENTS_LEAST)
		judge_fact(j, "smaps.private_pages_under_migration_are", "%s",
			   shared ? "shared" : "private");
}

static void judge(const struct trial *t, struct judgement *j)
{
	meanwhile_judge_written(t, j, OF_WRITTEN);
	for (unsigned s = OF_CLEARED; s <= OF_FILE_READ; s++)
		meanwhile_judge(t, j, s,
				"while pages migrate, the number stays between its values before "
				"and after");
	judge_private(t, j);
}

#define ROW(kind, title) STEP_AS(OF_##kind, title, read_meanwhile, .argument = (kind), .checks = 1)

CASE(scanners_while_migrating) {
	.claim = "While pages migrate, each reading of pagemap, PAGEMAP_SCAN, mincore(2), smaps "
		 "and status counts all of them, with their soft-dirty and uffd-wp bits; only "
		 "Referenced, the exclusive bit, Pss of shared pages, and the Private_ and Shared_ "
		 "fields may change",
	.because = "A migration entry holds the page's frame number and its soft-dirty and uffd-wp "
		   "bits. smaps counts that page as resident; since Linux 6.11 smaps_account() "
		   "counts it as shared. The RSS counters of the mm do not change.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst", "move_pages(2)"),
	.needs = NEEDS("root"),
	.flags = CASE_ALL_CPUS,
	.steps = STEPS(ROW(CLEARED, "pages written before clear_refs 4"),
		       ROW(WRITTEN, "pages written after clear_refs 4"),
		       ROW(PROTECTED, "pages write-protected by userfaultfd"),
		       ROW(LOCKED, "locked pages"), ROW(SHARED, "pages mapped by two processes"),
		       ROW(SHMEM, "a memfd"), ROW(FILE_READ, "a file that was only read")),
	.facts = FACTS(FACT("smaps.private_pages_under_migration_are",
			    "smaps counts a private page under migration as", "private|shared")),
	.judge = judge,
};
