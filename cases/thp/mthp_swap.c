// SPDX-License-Identifier: MIT
/*
 * VmSwap counts all pages of a large folio that is swapped out. When a fault reads pages back,
 * VmSwap and RSS change by the pages read.
 */
#include <rssck/case.h>

enum { BLOCKS = 2, PAGES = BLOCKS * WORKLOAD_FOLIO_PAGES, REGION = 0, CLEAN = 0 };
STEP_SYMBOLS(PAGE_OUT, READ_ONE_PAGE);

static void map_and_touch(struct workload *w)
{
	w->slot[REGION] = workload_large_folios(w, BLOCKS);
	/* Writes a byte to each page, because zram stores a page of equal words without data. */
	touch_write(w, w->slot[REGION], PAGES);
}

static int64_t swapped_whole(const struct workload *w)
{
	char path[WORKLOAD_SETTING];

	return workload_number(workload_folio_setting(w, "stats/swpout", path), NULL, -1);
}

static void page_out(struct workload *w)
{
	int64_t n = PAGES, whole = swapped_whole(w);

	workload_page_out(w, w->slot[REGION], PAGES);
	workload_report(w, "in pieces", whole >= 0 && swapped_whole(w) - whole < BLOCKS);
	workload_report(w, "zswap was enabled", !access("/sys/kernel/debug/zswap", F_OK));
	workload_expect(w, ANON_WRITE(-n), SWAPPED(n));
}

/* The kernel decides how many pages one fault reads back. All numbers must agree on this. */
static void read_one(struct workload *w)
{
	char *at = (char *)w->slot[REGION] + 3 * w->page_size;
	int64_t back;

	touch_read(w, at, 1);
	back = workload_pages_present(w, w->slot[REGION], PAGES);
	w->number[CLEAN] = workload_pages_clean(w, w->slot[REGION]);
	workload_report(w, "back", back);
	workload_expect(w, SWAPPED(-back), ANON_CLEAN(w->number[CLEAN]),
			ANON_WRITE(back - w->number[CLEAN]));
}

static void write_all(struct workload *w)
{
	int64_t still = workload_pages_swapped(w, w->slot[REGION], PAGES);

	touch_write(w, w->slot[REGION], PAGES);
	workload_expect(w, SWAPPED(-still), ANON_CLEAN(-w->number[CLEAN]),
			ANON_WRITE(still + w->number[CLEAN]));
}

/* If other folio sizes are enabled, the folio that is read back may have a different size. */
static void judge(const struct trial *t, struct judgement *j)
{
	int64_t back = trial_reported(t, READ_ONE_PAGE, "back");

	/*
	 * The kernel reads single pages if swap had no room for the folios in one piece, and since
	 * zswap was enabled once, also by an earlier case (zswap_ever_enabled of mm/zswap.c).
	 */
	if (trial_reported(t, PAGE_OUT, "in pieces") ||
	    trial_reported(t, PAGE_OUT, "zswap was enabled"))
		return;
	judge_fact(j, "large_folio.swapped_in_as", "%s",
		   back == 1                    ? "pages"
		   : back & (back - 1) || !back ? "something else"
						: "a folio");
}

CASE(thp_mthp_swap) {
	.claim =
		"VmSwap counts each page of a large folio on swap; if a fault reads back one page or the whole folio, VmSwap and RSS change by the pages read",
	.because =
		"Since 6.10 shrink_folio_list() swaps the folio out as a whole if the swap device has room for it in one piece. Since 6.11 do_swap_page() maps a folio in the swap cache as a whole if all its entries are still swap entries. Since 6.12 it may also read back a whole folio from a synchronous device. It subtracts the mapped pages from MM_SWAPENTS.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/transhuge.rst, swpin"),
	.needs = NEEDS("swap"),
	.flags = CASE_THP,
	.steps = STEPS(STEP("touch", map_and_touch), STEP_AS(PAGE_OUT, "page out", page_out),
		       STEP_AS(READ_ONE_PAGE, "read one page", read_one),
		       STEP("write all", write_all)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1), SWAPPED(1)),
	/*
	 * The answer is "pages" on kernels without alloc_swap_folio(), and on any kernel if swap
	 * is a disk: do_swap_page() then reads single pages.
	 */
	.facts = FACTS(FACT("large_folio.swapped_in_as",
			    "A large folio that was swapped out is read back as", "pages|a folio")),
	.judge = judge,
};
