// SPDX-License-Identifier: MIT
/*
 * A hugetlb mapping reserves its pages. A page leaves the reservation when it is allocated, when
 * its private mapping is unmapped, or when its file is truncated.
 */
#include "pages.h"

enum { HUGE = 3, REGION = 0, FD = 0 };
STEP_SYMBOLS(LOOK, MAP_A_FILE, WRITE_ITS_FIRST, PUNCH_IT_OUT, TRUNCATE_IT, MAP_PRIVATELY,
	     WRITE_THE_FIRST, UNMAP);

static void map_shared(struct workload *w)
{
	w->fd[FD] = workload_hugetlb_file(w, HUGE, &w->number[BYTES]);
	w->slot[REGION] = workload_hugetlb_map(w, HUGE * (size_t)w->number[BYTES], w->fd[FD]);
	workload_expect(w, VIRT_OTHER(HUGE * pages(w)));
	report_reserved(w);
}

static void map_private(struct workload *w)
{
	w->slot[REGION] = workload_hugetlb_map(w, HUGE * (size_t)w->number[BYTES], -1);
	workload_expect(w, VIRT_DATA(HUGE * pages(w)));
	report_reserved(w);
}

static void write_first(struct workload *w)
{
	touch_write(w, w->slot[REGION], 1);
	workload_expect(w, HUGETLB(pages(w)));
	report_reserved(w);
}

static void punch_first(struct workload *w)
{
	workload_punch(w, w->fd[FD], 0, w->number[BYTES]);
	workload_expect(w, HUGETLB(-pages(w)));
	report_reserved(w);
}

static void unmap(struct workload *w)
{
	workload_unmap(w, w->slot[REGION], HUGE * (size_t)w->number[BYTES]);
	workload_expect(w, VIRT_DATA(-HUGE * pages(w)), HUGETLB(-pages(w)));
	report_reserved(w);
}

static void truncate_it(struct workload *w)
{
	workload_must(w, ftruncate(w->fd[FD], 0), "ftruncate");
	report_reserved(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const struct {
		unsigned step;
		int64_t reserved;
		const char *rule;
	} claims[] = {
		{ MAP_A_FILE, HUGE, "a shared mapping reserves pages for its file" },
		{ WRITE_ITS_FIRST, HUGE - 1, "an allocated page is no longer reserved" },
		{ PUNCH_IT_OUT, HUGE - 1, "a page that was punched out is not reserved again" },
		{ TRUNCATE_IT, 0, "a file without pages reserves no page" },
		{ MAP_PRIVATELY, HUGE, "a private mapping reserves pages for itself" },
		{ WRITE_THE_FIRST, HUGE - 1, "an allocated page is no longer reserved" },
		{ UNMAP, 0, "unmapping ends the reservation of untouched pages" },
	};
	int64_t before = trial_reported(t, LOOK, "reserved");

	for (size_t i = 0; i < sizeof(claims) / sizeof(*claims); i++)
		judge_equal(j, claims[i].step, "HugePages_Rsvd",
			    trial_reported(t, claims[i].step, "reserved") - before,
			    claims[i].reserved, claims[i].rule);
}

CASE(hugetlb_reserved) {
	.claim = "HugePages_Rsvd counts hugetlb pages that mmap has reserved and that are not yet "
		 "allocated; touching them, truncating the file or unmapping a private mapping "
		 "lowers it",
	.because = "mmap() reserves pages out of the pool's free pages (hugetlb_acct_memory()). A "
		   "fault uses one reserved page. hugetlb_unreserve_pages() and "
		   "hugetlb_vm_op_close() return the unused ones.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/hugetlbpage.rst, HugePages_Rsvd"),
	.needs = NEEDS("hugetlb", "guest"),
	.steps = STEPS(STEP_AS(LOOK, "read HugePages_Rsvd", report_reserved),
		       STEP_AS(MAP_A_FILE, "map a file", map_shared),
		       STEP_AS(WRITE_ITS_FIRST, "write its first page", write_first),
		       STEP_AS(PUNCH_IT_OUT, "punch that page out", punch_first),
		       STEP_AS(TRUNCATE_IT, "truncate the file", truncate_it),
		       STEP_AS(MAP_PRIVATELY, "map privately", map_private),
		       STEP_AS(WRITE_THE_FIRST, "write the first page", write_first),
		       STEP_AS(UNMAP, "unmap", unmap)),
	.posts = POSTS(VIRT_OTHER(1), VIRT_DATA(1), HUGETLB(1)),
	.judge = judge,
};
