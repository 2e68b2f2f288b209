// SPDX-License-Identifier: MIT
/*
 * move_pages(2) should report the same status for many pages in one call as for each page in its
 * own call.
 */
#include <rssck/case.h>

/*
 * The kernel copies the addresses in chunks of 16 (DO_PAGES_STAT_CHUNK_NR). Every second chunk is
 * written, so a kernel that skips chunks reports some wrong statuses.
 */
enum { ROUND = 16, PAGES = 16 * ROUND, WRITTEN = PAGES / 2, REGION = 0 };
STEP_SYMBOLS(ASK);

static void write_every_other(struct workload *w)
{
	char *p = workload_anonymous(w, PAGES);

	w->slot[REGION] = p;
	for (size_t i = 0; i < PAGES; i += (size_t)2 * ROUND)
		touch_write(w, p + i * w->page_size, ROUND);
	workload_expect(w, VIRT_DATA(PAGES), ANON_WRITE(WRITTEN));
}

static void ask(struct workload *w)
{
	/*
	 * A faulty kernel reads more addresses than it was passed, so the array has twice as many.
	 */
	void *pages[2 * PAGES];
	int status[PAGES], alone, right = 0;

	for (size_t i = 0; i < 2 * (size_t)PAGES; i++)
		pages[i] = (char *)w->slot[REGION] + i % PAGES * w->page_size;
	for (size_t i = 0; i < PAGES; i++)
		status[i] = -EBUSY;
	if (syscall(SYS_move_pages, 0, (long)PAGES, pages, NULL, status, 0) < 0)
		workload_skip(w, "move_pages(2) (CONFIG_MIGRATION and CONFIG_NUMA)");
	for (size_t i = 0; i < PAGES; i++) {
		workload_must(w, syscall(SYS_move_pages, 0, 1L, &pages[i], NULL, &alone, 0),
			      "move_pages(2)");
		if ((alone >= 0) != (i / ROUND % 2 == 0))
			workload_fail(
				w,
				"move_pages(2) of page %zu alone returned status %d: a written page should have a node, an untouched page an error",
				i, alone);
		right += status[i] == alone;
	}
	workload_report(w, "right", right);
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_fact_of(j, "move_pages.of_many_at_once_is_right_of", trial_reported(t, ASK, "right"),
		      PAGES, "none", "all", "some");
}

CASE(anonymous_pages_asked) {
	.claim =
		"move_pages(2) without target nodes reports which pages are resident and changes no number. A call for many pages reports the same as a call for each page, except to a 32-bit process on some 64-bit kernels",
	.because =
		"do_pages_stat() copies 16 addresses at a time, then advances its pointer by 16. From 5.15 to 6.15 it advances by sixteen 64-bit pointers, even if a 32-bit process passes 32-bit pointers.",
	.said_by = SAID_BY("move_pages(2)"),
	.steps = STEPS(STEP("write every other 16", write_every_other),
		       STEP_AS(ASK, "call move_pages(2)", ask)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1)),
	.facts = FACTS(FACT("move_pages.of_many_at_once_is_right_of",
			    "The pages of one large call that move_pages(2) reports correctly are",
			    "all|some")),
	.judge = judge,
};
