// SPDX-License-Identifier: MIT
/* Guard regions over memory that was never touched need page tables, but add no RSS. */
#include <rssck/case.h>

enum { TABLES = 64, REGION = 0, ALIGNED = 1 };
STEP_SYMBOLS(RESERVE, INSTALL_GUARDS);

static void reserve(struct workload *w)
{
	size_t bytes = (TABLES + 1) * workload_table_bytes(w);
	char *p = workload_map(w, bytes, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	workload_expect(w, VIRT_DATA((int64_t)(bytes / w->page_size)));
	w->slot[REGION] = p;
	w->slot[ALIGNED] = (void *)(((uintptr_t)p + workload_table_bytes(w) - 1) /
				    workload_table_bytes(w) * workload_table_bytes(w));
}

static void install(struct workload *w)
{
	workload_advise(w, w->slot[ALIGNED], TABLES * workload_table_bytes(w), MADV_GUARD_INSTALL);
	workload_expect(
		w, GUARDED(workload_pages_marked(w, w->slot[ALIGNED],
						 TABLES * workload_table_bytes(w) / w->page_size,
						 PAGEMAP_GUARD)));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t tables = trial_tables(t, INSTALL_GUARDS, 0) - trial_tables(t, RESERVE, 0);

	/*
	 * Accepts two tables fewer, because other memory of the process may lose tables meanwhile.
	 */
	judge_true(j, INSTALL_GUARDS, tables >= TABLES - 2 - trial_tables_bound(t),
		   "VmPTE grows by the page tables that the guards fill");
	judge_yes_no(j, "guard_pages.take_page_tables", tables);
}

CASE(anonymous_guard_page_tables) {
	.claim = "Guard regions over untouched memory change no RSS; VmPTE counts the page "
		 "tables that contain the guards",
	.because = "A guard is a marker in a page table, so the table must exist. "
		   "guard_install_set_pte() runs for each page of the range, and "
		   "walk_page_range_mm() allocates the tables (install_pte).",
	.said_by = SAID_BY("madvise(2), MADV_GUARD_INSTALL: 'No additional memory is used'"),
	.steps = STEPS(STEP_AS(RESERVE, "reserve", reserve, .flags = STEP_UNSETTLED),
		       STEP_AS(INSTALL_GUARDS, "install guards", install, .flags = STEP_UNSETTLED)),
	.facts = FACTS(FACT("guard_pages.take_page_tables", "Do guard pages take page tables?",
			    "yes")),
	.judge = judge,
};
