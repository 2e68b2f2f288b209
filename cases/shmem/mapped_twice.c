// SPDX-License-Identifier: MIT
/* If one process maps the same shmem twice, its RES counts the pages twice, its Pss once. */
#include <rssck/case.h>

enum { PAGES = 256, FIRST = 0, SECOND = 1, FD = 0 };
STEP_SYMBOLS(MAP_AND_WRITE_AGAIN);

static void map_and_write(struct workload *w)
{
	w->fd[FD] = workload_shmem(w, PAGES);
	w->slot[FIRST] = workload_shared(w, PAGES, w->fd[FD]);
	touch_write(w, w->slot[FIRST], PAGES);
}

static void map_again(struct workload *w)
{
	w->slot[SECOND] = workload_shared(w, PAGES, w->fd[FD]);
	touch_write(w, w->slot[SECOND], PAGES);
	workload_report(w, "first", (int64_t)(uintptr_t)w->slot[FIRST]);
	workload_report(w, "second", (int64_t)(uintptr_t)w->slot[SECOND]);
}

static bool is_in(uint64_t address, int64_t start, const struct trial *t)
{
	return address - (uint64_t)start < PAGES * (uint64_t)t->host->page_size;
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct snapshot *s = trial_snapshot(t, MAP_AND_WRITE_AGAIN, 0);
	int64_t first = trial_reported(t, MAP_AND_WRITE_AGAIN, "first");
	int64_t second = trial_reported(t, MAP_AND_WRITE_AGAIN, "second");
	int64_t twice = 0;

	if (!s || !s->pages)
		return;
	for (size_t i = 0; i < s->nr_pages; i++)
		if (is_in(s->pages[i].address, first, t) || is_in(s->pages[i].address, second, t))
			twice += s->pages[i].mapcount == 2 || s->pages[i].mapcount < 0;
	judge_equal(j, MAP_AND_WRITE_AGAIN, "frames with kpagecount 2", twice, 2 * PAGES,
		    "kpagecount of each page in the two mappings is 2");
}

CASE(shmem_mapped_twice) {
	.claim = "RES counts shmem twice if one process maps it twice, and Pss counts it once; "
		 "the pages are 'shared', although no other process maps them",
	.because = "RSS counts page table entries. smaps divides by the mapcount, which counts "
		   "entries, not processes. So a page that one process maps twice is "
		   "Shared_Dirty.",
	.said_by = SAID_BY("proc_pid_smaps(5), Pss", "Documentation/filesystems/proc.rst"),
	.flags = CASE_PAGES,
	.steps = STEPS(STEP("map and write", map_and_write,
			    MOVES(VIRT_OTHER(PAGES), SHMEM_WRITE(PAGES))),
		       STEP_AS(MAP_AND_WRITE_AGAIN, "map and write again", map_again,
			       MOVES(VIRT_OTHER(PAGES), RESHARED(SHMEM_WRITE, PAGES, 1, 2),
				     SHMEM_WRITE(PAGES, .sharers = 2))),
		       STEP("unmap the second", step_unmap, .slot = SECOND, .pages = PAGES,
			    MOVES(VIRT_OTHER(-PAGES), SHMEM_WRITE(-2 * PAGES, .sharers = 2),
				  SHMEM_WRITE(PAGES)))),
	.judge = judge,
};
