// SPDX-License-Identifier: MIT
/* THPeligible of a shmem mapping follows shmem_enabled, and so does the page of the next touch. */
#include "../thp/setting.h"
#include <glob.h>
#include <rssck/case.h>

STEP_SYMBOLS(NEVER, ALWAYS);

#define SETTING "/sys/kernel/mm/transparent_hugepage/shmem_enabled"

#define SIZES   "/sys/kernel/mm/transparent_hugepage/hugepages-*kB/shmem_enabled"

enum { SIZES_MOST = 16 };

/*
 * Since 6.11 each folio size has its own setting, which overrides the general one unless it is
 * "inherit". The case sets the PMD size to "inherit" and all others to "never", and restores them.
 */
static struct {
	glob_t files;
	char was[SIZES_MOST][THP_VALUE];
} sizes;

static void set_sizes(struct workload *w)
{
	char pmd[32];

	sizes.files.gl_pathc = 0;
	if (glob(SIZES, 0, NULL, &sizes.files))
		return;
	snprintf(pmd, sizeof(pmd), "hugepages-%zukB/", w->huge_page_size / 1024);
	for (size_t i = 0; i < sizes.files.gl_pathc && i < SIZES_MOST; i++) {
		const char *path = sizes.files.gl_pathv[i];

		if (thp_value(path, sizes.was[i]))
			workload_set(w, path, strstr(path, pmd) ? "inherit" : "never");
	}
}

static void restore_sizes(struct workload *w)
{
	for (size_t i = 0; i < sizes.files.gl_pathc && i < SIZES_MOST; i++)
		if (sizes.was[i][0])
			workload_set(w, sizes.files.gl_pathv[i], sizes.was[i]);
	if (sizes.files.gl_pathc)
		globfree(&sizes.files);
}

/*
 * Without CONFIG_BASE_FULL the page cache has no folio of PMD size. So shmem has no huge page
 * whatever shmem_enabled says, and MADV_COLLAPSE (6.1) is refused, too.
 */
static bool has_huge_shmem(struct workload *w, void *p)
{
	return !madvise(p, w->huge_page_size, MADV_COLLAPSE) || errno != EINVAL;
}

/*
 * The settings apply to the whole machine, so the step itself restores them, before it skips for
 * lack of huge pages.
 */
static void look(struct workload *w)
{
	char was[THP_VALUE], *p;
	int fd = workload_shmem(w, (size_t)w->huge);
	bool none;

	if (!thp_value(SETTING, was))
		workload_skip(w, SETTING);
	set_sizes(w);
	p = workload_huge_map(w, 1, fd);
	workload_set(w, SETTING, w->argument ? "always" : "never");
	workload_report(w, "eligible", workload_smaps_field(w, p, "THPeligible"));
	touch_write(w, p, 1);
	workload_report(w, "huge", workload_smaps_field(w, p, "ShmemPmdMapped") > 0);
	none = w->argument && !workload_smaps_field(w, p, "ShmemPmdMapped") &&
	       !has_huge_shmem(w, p);
	workload_report(w, "touched", workload_smaps_field(w, p, "Rss"));
	workload_set(w, SETTING, was);
	restore_sizes(w);
	if (none)
		workload_skip(w, "huge pages of shmem (CONFIG_BASE_FULL)");
	workload_unmap(w, p, w->huge_page_size);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { NEVER, ALWAYS };

	for (size_t i = 0; i < 2; i++) {
		int64_t eligible = trial_reported(t, steps[i], "eligible");

		judge_true(j, steps[i], trial_reported(t, steps[i], "touched") > 0,
			   "touched memory is resident, in pages of any size");
		if (eligible < 0)
			continue; /* this kernel does not print THPeligible */
		judge_equal_in(j, "", steps[i], "THPeligible", eligible,
			       trial_reported(t, steps[i], "huge"),
			       "THPeligible is 1 if and only if a touch makes a huge page");
		judge_equal_in(j, "", steps[i], "THPeligible", eligible, (int64_t)i,
			       "THPeligible is 1 if shmem_enabled is always, and 0 if it is never");
	}
}

CASE(shmem_huge_eligible) {
	.claim =
		"THPeligible of shared anonymous memory with room for a huge page is 1 if shmem_enabled is always, and the next touch then allocates a huge page if one is free; THPeligible is 0 if shmem_enabled is never, and the next touch then allocates small pages",
	.because =
		"smaps (thp_vma_allowable_orders()) and the page fault (shmem_get_folio_gfp()) call the same function (since 6.11 shmem_allowable_huge_orders()). It reads the mount's huge= or shmem_enabled; the setting for anonymous memory does not matter.",
	.said_by = SAID_BY("proc_pid_smaps(5), THPeligible",
			   "Documentation/admin-guide/mm/transhuge.rst, shmem_enabled"),
	.needs = NEEDS("thp", "guest"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(NEVER, "never", look, .argument = 0, .checks = 1),
		       STEP_AS(ALWAYS, "always", look, .argument = 1, .checks = 1)),
	.judge = judge,
};
