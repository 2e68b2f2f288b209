// SPDX-License-Identifier: MIT
/*
 * nr_anon of a size of transparent huge pages leaves out hugetlb pages, so it must not change when
 * private hugetlb pages of that size migrate.
 */
#include <rssck/case.h>

STEP_SYMBOLS(MIGRATE);

/* The kernel counts the folios of transparent huge pages by size since 6.11. */
static int64_t nr_anon(size_t bytes)
{
	char path[112];

	snprintf(path, sizeof(path),
		 "/sys/kernel/mm/transparent_hugepage/hugepages-%zukB/stats/nr_anon", bytes >> 10);
	return workload_number(path, NULL, -1);
}

static void migrate(struct workload *w)
{
	size_t bytes = workload_hugetlb_bytes();
	int64_t before = nr_anon(bytes), mapped, migrated;
	char *p;

	if (before < 0)
		workload_skip(w, "nr_anon of folios as large as a hugetlb page (Linux 6.11)");
	p = workload_hugetlb_map(w, bytes, -1);
	touch_write(w, p, 1);
	mapped = nr_anon(bytes);
	workload_migrate_away(w, p);
	migrated = nr_anon(bytes);
	workload_unmap(w, p, bytes);
	workload_report(w, "mapped", mapped - before);
	workload_report(w, "migrated", migrated - mapped);
	workload_report(w, "left", nr_anon(bytes) - before);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t left = trial_reported(t, MIGRATE, "left");

	judge_reported(t, j, MIGRATE, "mapped", "nr_anon, while a page is mapped", 0,
		       "nr_anon does not count hugetlb pages");
	judge_true(j, MIGRATE, trial_reported(t, MIGRATE, "migrated") == left && left >= 0,
		   "nr_anon changes by the migration only, if at all");
	judge_fact(j, "hugetlb.migration_leaves_nr_anon", "%s", left ? "higher" : "as before");
}

CASE(hugetlb_migration_stats) {
	.claim = "nr_anon of a folio size does not count hugetlb pages, also after they migrate",
	.because =
		"mod_mthp_stat() counts anonymous folios when they are first mapped and when "
		"they are freed; hugetlb has functions of its own for both. But migration counts "
		"the new folio (__folio_migrate_mapping()), and up to 7.1 it did so for hugetlb "
		"pages, too, and nothing subtracts them again.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst"),
	.needs = NEEDS("hugetlb", "guest"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(MIGRATE, "write a hugetlb page, migrate and unmap it", migrate)),
	.facts = FACTS(FACT("hugetlb.migration_leaves_nr_anon",
			    "A private hugetlb page that has migrated leaves nr_anon of its size",
			    "as before|higher")),
	.judge = judge,
};
