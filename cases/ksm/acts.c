// SPDX-License-Identifier: MIT
/*
 * Checks KSM's numbers after each act on pages that KSM has merged, or has replaced by the zero
 * page.
 */
#include "rounds.h"

enum { PAGES = 64 };
STEP_SYMBOLS(ALIKE, ZEROES);

/* ---- acts; false: not possible on this machine ---- */

static bool nothing(struct workload *w, char *p, size_t pages)
{
	(void)w, (void)p, (void)pages;
	return true;
}

static bool drop_half(struct workload *w, char *p, size_t pages)
{
	return !madvise(p, pages / 2 * w->page_size, MADV_DONTNEED);
}

static bool write_half(struct workload *w, char *p, size_t pages)
{
	ksm_write_apart(w, p, pages / 2);
	return true;
}

static bool protect(struct workload *w, char *p, size_t pages)
{
	return !mprotect(p, pages * w->page_size, PROT_NONE) &&
	       !mprotect(p, pages * w->page_size, PROT_READ | PROT_WRITE);
}

static bool cool(struct workload *w, char *p, size_t pages)
{
	return !madvise(p, pages * w->page_size, MADV_COLD);
}

static bool clear_soft_dirty(struct workload *w, char *p, size_t pages)
{
	(void)p, (void)pages;
	workload_clear_refs(w, '4');
	return true;
}

static bool unmerge(struct workload *w, char *p, size_t pages)
{
	return !madvise(p, pages * w->page_size, MADV_UNMERGEABLE);
}

#ifndef PR_SET_MEMORY_MERGE
#define PR_SET_MEMORY_MERGE 67 /* since 6.4 */
#endif

static bool turn_merging_off(struct workload *w, char *p, size_t pages)
{
	(void)w, (void)p, (void)pages;
	return !prctl(PR_SET_MEMORY_MERGE, 1, 0, 0, 0) && !prctl(PR_SET_MEMORY_MERGE, 0, 0, 0, 0);
}

/* Some kernels collapse a range only if it has a writable page. */
static bool collapse(struct workload *w, char *p, size_t pages)
{
	touch_write(w, p, 1);
	return !madvise(p, pages * w->page_size, MADV_HUGEPAGE) &&
	       !madvise(p, pages * w->page_size, MADV_COLLAPSE);
}

static const struct act {
	const char *name;
	bool (*act)(struct workload *w, char *p, size_t pages);
	int halves; /* how many halves of the region stay merged */
	bool huge;  /* needs a region of one huge page, and a ksmd that does not run */
} acts[] = {
	{ "no act", nothing, 2, false }, /* the control */
	{ "MADV_DONTNEED", drop_half, 1, false },
	{ "a write", write_half, 1, false },
	{ "mprotect", protect, 2, false },
	{ "MADV_COLD", cool, 2, false },
	{ "clear_refs 4", clear_soft_dirty, 2, false },
	{ "MADV_UNMERGEABLE", unmerge, 0, false },
	{ "PR_SET_MEMORY_MERGE of 1, then of 0", turn_merging_off, 0, false },
	{ "MADV_COLLAPSE", collapse, 0, true },
};

enum { ACTS = sizeof(acts) / sizeof(*acts) };

/* ---- the two kinds ---- */

static int64_t merged_now(struct workload *w)
{
	(void)w;
	return workload_number("/proc/self/ksm_merging_pages", NULL, -1);
}

static const struct kind {
	int64_t (*now)(struct workload *w), (*of_all)(struct workload *w);
	const char *number, *sum;
	bool zeroes;
} alike = { merged_now, ksm_merged_of_all, "ksm_merging_pages", "pages_shared + pages_sharing",
	    false },
  zeroes = { ksm_zeroes_now, ksm_zeroes_of_all, "ksm_zero_pages", "ksm_zero_pages of all", true };

/*
 * Waits, because ksmd subtracts pages that are no longer merged in its next scan. Returns the name
 * of a number that stays wrong, or NULL.
 */
static const char *wrong(struct workload *w, const struct kind *k, int64_t pages, int64_t of_all)
{
	struct patience p = { .seconds = PATIENCE_S };

	while (k->now(w) != pages || k->of_all(w) != of_all + pages)
		if (!workload_pause(&p))
			return k->now(w) != pages ? k->number : k->sum;
	return NULL;
}

static bool act_on(struct workload *w, const struct kind *k, const struct act *a)
{
	size_t pages = a->huge ? (size_t)w->huge : PAGES;
	int64_t of_all = k->of_all(w);
	char *p = workload_aligned_map(w, pages * w->page_size, pages * w->page_size, -1);
	const char *off;
	bool done;

	madvise(p, pages * w->page_size, MADV_NOHUGEPAGE);
	if (!k->zeroes)
		ksm_write_alike(w, p, pages);
	else
		memset(p, 0, pages * w->page_size);
	workload_set(w, KSM "use_zero_pages", k->zeroes ? "1" : "0");
	madvise(p, pages * w->page_size, MADV_MERGEABLE);
	done = !wrong(w, k, (int64_t)pages, of_all);
	if (a->huge)
		workload_set(w, KSM "run", "0");
	done = done && a->act(w, p, pages);
	off = done ? wrong(w, k, (int64_t)pages * a->halves / 2, of_all) : NULL;
	workload_set(w, KSM "run", "1");
	if (off)
		workload_fail(
			w,
			"%s after %s on %zu merged pages: %d for this process and %d for all processes, should be %d for both",
			off, a->name, pages, (int)k->now(w), (int)(k->of_all(w) - of_all),
			(int)pages * a->halves / 2);
	workload_unmap(w, p, pages * w->page_size);
	off = done ? wrong(w, k, 0, of_all) : NULL;
	if (off)
		workload_fail(
			w,
			"%s after %s and munmap: %d for this process and %d for all processes, should be 0 for both",
			off, a->name, (int)k->now(w), (int)(k->of_all(w) - of_all));
	return done;
}

static void act_on_each(struct workload *w, const struct kind *k)
{
	int64_t done = 0;

	if (k->now(w) < 0)
		workload_skip_step(w, "%s of a process", k->number);
	for (size_t i = 0; i < ACTS; i++)
		if (!acts[i].huge || (w->huge && k->zeroes))
			done += act_on(w, k, &acts[i]);
	workload_set(w, KSM "use_zero_pages", "0");
	workload_report(w, "done", done);
	workload_checked(w);
}

static void act_on_alike(struct workload *w)
{
	act_on_each(w, &alike);
}

static void act_on_zeroes(struct workload *w)
{
	act_on_each(w, &zeroes);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { ALIKE, ZEROES };

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		if (trial_reported_or(t, steps[i], "done", ACTS) < ACTS / 2)
			judge_skip(
				j,
				"a machine on which at least half of the acts on merged pages are possible");
}

CASE(ksm_acts) {
	.claim =
		"A write, MADV_DONTNEED, MADV_UNMERGEABLE, PR_SET_MEMORY_MERGE or munmap subtracts a page from ksm_zero_pages immediately, and from ksm_merging_pages in ksmd's next scan; mprotect, MADV_COLD and clear_refs change neither. pages_shared plus pages_sharing, and the machine's ksm_zero_pages, are the sums over all processes",
	.because = "remove_rmap_item_from_tree() subtracts a merged page in ksmd's next scan. "
		   "ksm_might_unmap_zero_page() subtracts a zero page when its entry is removed.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/ksm.rst, ksm_zero_pages"),
	.needs = NEEDS("root", "guest", "ksm"),
	.flags = CASE_THP | CASE_ONE_CPU,
	.limit_s = 120,
	.steps = STEPS(STEP_AS(ALIKE, "each act on equal pages", act_on_alike, .checks = 1),
		       STEP_AS(ZEROES, "each act on pages of zeroes", act_on_zeroes, .checks = 1)),
	.judge = judge,
};
