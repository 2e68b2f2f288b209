// SPDX-License-Identifier: MIT
/* Memory that is paged out to zram is still in RAM, but in no RES. */
#include <rssck/case.h>

enum { PAGES = 1024, REGION = 0, DEVICES = 8 };
STEP_SYMBOLS(PAGE_OUT);

/*
 * Reads mm_stat of the first DEVICES zram devices. *written is the number of pages that they store
 * (orig_data_size), *used the number of pages of memory in which they store these (mem_used_total).
 */
static void read_devices(const struct workload *w, int64_t *written, int64_t *used)
{
	*written = *used = 0;
	for (int i = 0; i < DEVICES; i++) {
		long long of[3];
		char path[64], text[256];

		snprintf(path, sizeof(path), "/sys/block/zram%d/mm_stat", i);
		workload_read_text(path, text, sizeof(text));
		if (sscanf(text, "%lld %lld %lld", &of[0], &of[1], &of[2]) == 3) {
			*written += of[0] / (int64_t)w->page_size;
			*used += of[2] / (int64_t)w->page_size;
		}
	}
}

/* Fills the region with different words, so that zram cannot compress it. */
static void write_noise(const struct workload *w)
{
	uint64_t *word = w->slot[REGION], x = 88172645463325252ULL;

	for (size_t i = 0; i < PAGES * w->page_size / sizeof(*word); i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		word[i] = x;
	}
}

static void page_out(struct workload *w)
{
	int64_t written, used, current, written_then, used_then;

	if (!workload_swaps_to_zram())
		workload_skip(w, "zram as the only swap");
	workload_cgroup_enter(w);
	w->slot[REGION] = workload_anonymous(w, PAGES);
	write_noise(w);
	read_devices(w, &written, &used);
	current = workload_cgroup_pages(w, "memory.current", NULL);
	workload_page_out(w, w->slot[REGION], PAGES);
	workload_report(w, "left the swap cache", workload_cgroup_empties_swap_cache(w));
	read_devices(w, &written_then, &used_then);
	workload_report(w, "written", written_then - written);
	workload_report(w, "used", used_then - used);
	workload_report(w, "current", current - workload_cgroup_pages(w, "memory.current", NULL));
	workload_cgroup_leave(w);
	workload_checked(w);
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t fell = trial_reported(t, PAGE_OUT, "current");

	judge_true(j, PAGE_OUT, trial_reported(t, PAGE_OUT, "written") >= PAGES,
		   "each page that is paged out is written to zram");
	judge_true(j, PAGE_OUT, trial_reported(t, PAGE_OUT, "used") >= PAGES,
		   "incompressible memory uses its full size in zram");
	if (trial_reported(t, PAGE_OUT, "left the swap cache"))
		judge_fact(j, "zram.is_charged_to", "%s",
			   fell > PAGES / 2 ? "nobody" : "the owner");
}

CASE(swap_zram) {
	.claim = "Memory that is paged out to zram leaves RES and the cgroup's memory.current, "
		 "but still uses RAM: as much as before if it cannot be compressed",
	.because =
		"zram allocates memory for the compressed pages itself (zs_malloc()) and charges it to no cgroup. It stores an incompressible page in full.",
	.said_by = SAID_BY("Documentation/admin-guide/blockdev/zram.rst, mm_stat"),
	.needs = NEEDS("swap", "root", "guest"),
	.steps = STEPS(STEP_AS(PAGE_OUT, "page out", page_out, .checks = 1,
			       MOVES(VIRT_DATA(PAGES), SWAPPED(PAGES)))),
	.facts = FACTS(FACT("zram.is_charged_to",
			    "The memory in which zram stores pages is charged to",
			    "nobody|the owner")),
	.judge = judge,
};
