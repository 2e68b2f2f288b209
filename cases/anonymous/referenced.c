// SPDX-License-Identifier: MIT
/*
 * Referenced counts the pages accessed since clear_refs cleared the accessed bits of their mapping.
 */
#include <rssck/case.h>

enum { PAGES = 256, TOUCHED = 77, ANON = 0, FILE_PAGES = 1 };
STEP_SYMBOLS(TOUCH, CLEAR_REFS_2, TOUCH_SOME, CLEAR_REFS_3, TOUCH_MORE, CLEAR_REFS_1);

static void map_and_touch(struct workload *w)
{
	w->slot[ANON] = workload_written(w, PAGES);
	w->slot[FILE_PAGES] = workload_map_pages(w, PAGES, PROT_READ, MAP_PRIVATE,
						 workload_file(w, PAGES));
	touch_read(w, w->slot[FILE_PAGES], PAGES);
	workload_report(w, "anon", (int64_t)(uintptr_t)w->slot[ANON]);
	workload_report(w, "file", (int64_t)(uintptr_t)w->slot[FILE_PAGES]);
}

/*
 * clear_refs 1-3 do not flush the TLB, and the CPU may use a cached translation without setting the
 * accessed bit. mprotect() flushes the TLB. On ppc64 and riscv64 mprotect() also sets the accessed
 * bit of all entries, because pte_modify() takes it from the new protection.
 */
static void clear(struct workload *w)
{
	size_t bytes = PAGES * w->page_size;
	int64_t before;

	step_clear_refs(w);
	before = workload_pages_referenced(w, w->slot[ANON]);
	workload_protect(w, w->slot[ANON], bytes, PROT_READ);
	workload_protect(w, w->slot[ANON], bytes, PROT_READ | PROT_WRITE);
	workload_report(w, "marked", workload_pages_referenced(w, w->slot[ANON]) - before);
	workload_protect(w, w->slot[FILE_PAGES], bytes, PROT_NONE);
	workload_protect(w, w->slot[FILE_PAGES], bytes, PROT_READ);
}

static void touch(struct workload *w)
{
	touch_read(w, w->slot[ANON], w->step->pages);
	touch_read(w, w->slot[FILE_PAGES], w->step->pages);
}

static int64_t referenced(const struct trial *t, unsigned step, const char *kind)
{
	return trial_mapping_pages(t, step, 0, TOUCH, kind, METRIC_SMAPS_REFERENCED);
}

static void judge_step(const struct trial *t, struct judgement *j, unsigned step, int64_t anon,
		       int64_t file)
{
	static const char *const kinds[] = { "anon", "file" };
	int64_t expected[] = { anon, file };

	for (int i = 0; i < 2; i++)
		judge_equal(
			j, step,
			i ? "Referenced of the file" : "Referenced of the anonymous memory",
			referenced(t, step, kinds[i]), expected[i],
			"Referenced = the pages accessed since clear_refs last cleared their accessed bits");
}

/* Checks the process's sums, minus what other mappings of the process added. */
static void judge_sums(const struct trial *t, struct judgement *j, bool marks)
{
	const unsigned from = CLEAR_REFS_3, to = TOUCH_MORE;
	int64_t ours = referenced(t, to, "anon") + referenced(t, to, "file") -
		       referenced(t, from, "anon") - referenced(t, from, "file");
	int64_t others = trial_moved(t, from, to, 0, METRIC_SMAPS_REFERENCED) - ours;
	int64_t expected = marks ? 0 : 3 * TOUCHED; /* mprotect() has set the bits already */

	judge_moved(
		j, to, METRIC_SMAPS_REFERENCED, ours, expected, 0,
		"Referenced = the pages accessed since clear_refs last cleared their accessed bits");
	judge_moved(j, to, METRIC_ROLLUP_REFERENCED,
		    trial_moved(t, from, to, 0, METRIC_ROLLUP_REFERENCED) - others, expected, 0,
		    "Referenced of smaps_rollup changes by as much as Referenced of smaps");
}

static void judge(const struct trial *t, struct judgement *j)
{
	bool marks = trial_reported(t, CLEAR_REFS_2, "marked") > 0;

	judge_yes_no(j, "mprotect.marks_its_pages_referenced", marks);
	judge_step(t, j, TOUCH, PAGES, PAGES);
	judge_sums(t, j, marks);
	if (marks)
		return;
	judge_step(t, j, CLEAR_REFS_2, 0, PAGES);
	judge_step(t, j, TOUCH_SOME, TOUCHED, PAGES);
	judge_step(t, j, CLEAR_REFS_3, TOUCHED, 0);
	judge_step(t, j, TOUCH_MORE, 2 * TOUCHED, 2 * TOUCHED);
	judge_step(t, j, CLEAR_REFS_1, 0, 0);
}

CASE(anonymous_referenced) {
	.claim =
		"Referenced counts the pages accessed since their accessed bits were last cleared: clear_refs 1 clears them in all mappings, 2 in anonymous mappings, 3 in file mappings",
	.because = "The CPU or the kernel sets the accessed bit in a page's entry (pte_young()); "
		   "on ppc64 and riscv64 mprotect(2) also sets it. clear_refs 1, 2 and 3 clear "
		   "this bit and the page's young and referenced flags.",
	.said_by = SAID_BY("proc_pid_clear_refs(5)", "proc_pid_smaps(5), Referenced"),
	.steps = STEPS(STEP_AS(TOUCH, "touch", map_and_touch,
			       MOVES(VIRT_DATA(PAGES), VIRT_OTHER(PAGES), ANON_WRITE(PAGES),
				     FILE_READ(PAGES))),
		       STEP_AS(CLEAR_REFS_2, "clear_refs 2", clear, .refs = '2'),
		       STEP_AS(TOUCH_SOME, "touch some", touch, .pages = TOUCHED),
		       STEP_AS(CLEAR_REFS_3, "clear_refs 3", clear, .refs = '3'),
		       STEP_AS(TOUCH_MORE, "touch more", touch, .pages = 2 * TOUCHED),
		       STEP_AS(CLEAR_REFS_1, "clear_refs 1", clear, .refs = '1')),
	.moves = METRICS(METRIC_SMAPS_REFERENCED, METRIC_ROLLUP_REFERENCED),
	.facts = FACTS(FACT("mprotect.marks_its_pages_referenced",
			    "Does mprotect() mark the pages that it covers as referenced?",
			    "yes|no")),
	.judge = judge,
};
