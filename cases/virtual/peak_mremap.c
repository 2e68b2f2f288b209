// SPDX-License-Identifier: MIT
/*
 * VmPeak does not count a mapping twice while mremap moves it. It includes a mapping that mremap
 * replaces.
 */
#include <rssck/case.h>

/* PAGES is more than the engine maps to settle counters with up to CPUS_MOST CPUs. */
enum { PAGES = 32768, CPUS_MOST = 128, LESS = PAGES / 2, REGION = 0, OTHER = 1 };
STEP_SYMBOLS(MAP, GROW_AND_MOVE, MAP_ANOTHER, MOVE_OVER_IT);

/* Maps one more page behind the region, so that the region cannot grow in place. */
static void map(struct workload *w)
{
	char *p = workload_map_pages(w, PAGES + 1, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	workload_protect(w, p + PAGES * w->page_size, w->page_size, PROT_NONE);
	w->slot[REGION] = p;
}

static void remap(struct workload *w, void *from, size_t old, size_t new, int flags, void *to)
{
	void *p = mremap(from, old * w->page_size, new * w->page_size, MREMAP_MAYMOVE | flags, to);

	if (p == MAP_FAILED)
		workload_die(w, "mremap: %m");
	workload_remember(w, p, new * w->page_size);
	w->slot[REGION] = p;
}

static void grow(struct workload *w)
{
	remap(w, w->slot[REGION], PAGES, PAGES + 1, 0, NULL);
}

static void move_over(struct workload *w)
{
	char *tail = (char *)w->slot[REGION] + (PAGES + 1 - LESS) * w->page_size;

	remap(w, tail, LESS, LESS, MREMAP_FIXED, w->slot[OTHER]);
}

static void judge(const struct trial *t, struct judgement *j)
{
	static const unsigned steps[] = { MAP, GROW_AND_MOVE, MAP_ANOTHER, MOVE_OVER_IT };
	int64_t peak = 0;

	if (t->host->cpus > CPUS_MOST)
		return judge_skip(j, "a machine with at most %d CPUs", CPUS_MOST);
	for (int i = 0; i < 4; i++) {
		int64_t size = trial_pages(t, steps[i], 0, METRIC_STATUS_VMSIZE);

		peak = size > peak ? size : peak;
		judge_equal(
			j, steps[i], "status.VmPeak",
			trial_pages(t, steps[i], 0, METRIC_STATUS_VMPEAK), peak,
			"VmPeak = the highest VmSize so far, without what mremap(2) adds temporarily");
	}
}

CASE(virtual_peak_mremap) {
	.claim = "VmPeak does not count a mapping twice while mremap moves it, and includes the "
		 "mapping that mremap replaces",
	.because = "move_vma() saves hiwater_vm before it unmaps the old mapping, and restores it "
		   "afterwards. mremap_to() unmaps the memory at the new address as munmap(2) "
		   "does.",
	.said_by = SAID_BY("proc_pid_status(5), VmPeak", "mremap(2)"),
	.steps = STEPS(STEP_AS(MAP, "map", map, .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(PAGES), VIRT_OTHER(1))),
		       STEP_AS(GROW_AND_MOVE, "grow and move", grow, .flags = STEP_UNSETTLED,
			       MOVES(VIRT_DATA(1))),
		       STEP_AS(MAP_ANOTHER, "map a second region", step_map, .slot = OTHER,
			       .pages = LESS, .mapping = MAP_SHARED | MAP_NORESERVE,
			       .flags = STEP_UNSETTLED, MOVES(VIRT_OTHER(LESS))),
		       STEP_AS(MOVE_OVER_IT, "move over the second", move_over,
			       .flags = STEP_UNSETTLED, MOVES(VIRT_OTHER(-LESS)))),
	.judge = judge,
};
