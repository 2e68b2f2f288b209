// SPDX-License-Identifier: MIT
/* RssAnon does not count a page with a memory error (hwpoison); smaps may still count it. */
#include <rssck/case.h>
#include <rssck/panics.h>

STEP_SYMBOLS(MAP_AND_POISON);

enum { PAGES = 8, NOT_HERE = 255 };

static int64_t anonymous_kb(void)
{
	return workload_number("/proc/self/smaps_rollup", "Anonymous", -1);
}

/*
 * Returns by how many pages Anonymous of smaps_rollup falls when pages are poisoned; NOT_HERE if
 * the kernel does not poison them. The process must survive the SIGBUS that the kernel sends.
 */
static int map_and_poison(const struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	char *p = workload_try_map(bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, -1);
	int64_t before;

	workload_survive_sigbus();
	if (!p)
		return NOT_HERE;
	madvise(p, bytes, MADV_NOHUGEPAGE);
	memset(p, 1, bytes);
	anonymous_kb(); /* The first reading allocates memory in the C library. */
	before = anonymous_kb();
	if (madvise(p, bytes, MADV_HWPOISON) < 0)
		return NOT_HERE;
	return (int)((before - anonymous_kb()) * 1024 / w->page_size);
}

/* Uses a child, because check_mm() reports a nonzero counter only when a process exits. */
static void measure(struct workload *w)
{
	int lost;

	workload_needs_recovery(w);
	lost = workload_in_child(w, map_and_poison);
	if (lost == NOT_HERE)
		workload_skip(w, "MADV_HWPOISON (CONFIG_MEMORY_FAILURE)");
	workload_report(w, "pages that smaps has lost", lost);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t lost = trial_reported(t, MAP_AND_POISON, "pages that smaps has lost");

	judge_true(j, MAP_AND_POISON, lost == 0 || lost == PAGES,
		   "smaps counts either all poisoned pages or none");
	judge_fact(j, "poisoned_page.is_in_smaps", "%s", lost ? "no" : "yes");
}

CASE(anonymous_poisoned) {
	.claim = "RssAnon does not count pages that the kernel removes because of a memory "
		 "error, so the kernel reports no bad counter at exit. smaps counts either all "
		 "of these pages or none",
	.because =
		"try_to_unmap_one() replaces the entry by a marker with the page's frame number, "
		"and subtracts the page from the counter. Kernels on which smaps_pte_entry() "
		"follows that frame number, as for a page under migration, still count the page in "
		"Rss and Pss. status and smaps then differ until the process ends.",
	.said_by = SAID_BY("madvise(2), MADV_HWPOISON", "Documentation/mm/hwpoison.rst"),
	.needs = NEEDS("guest"),
	.flags = CASE_POISONS,
	.steps = STEPS(STEP_AS(MAP_AND_POISON, "map and poison", measure)),
	.facts = FACTS(FACT("poisoned_page.is_in_smaps", "Does smaps still count a poisoned page?",
			    "yes|no")),
	.judge = judge,
};
