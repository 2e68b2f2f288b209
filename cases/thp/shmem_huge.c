// SPDX-License-Identifier: MIT
/* A huge page of shmem is ShmemPmdMapped. When a part of it is unmapped, all of it leaves RES. */
#include <rssck/case.h>

enum { REGION = 0 };
STEP_SYMBOLS(WRITE_SMALL_PAGES, MAKE_IT_READ_ONLY);

static void map_and_write(struct workload *w)
{
	int fd = workload_shmem(w, (size_t)w->huge);

	w->slot[REGION] = workload_huge_map(w, 1, fd);
	madvise(w->slot[REGION], w->huge_page_size, MADV_NOHUGEPAGE);
	touch_write(w, w->slot[REGION], (size_t)w->huge);
	workload_report(w, "address", (int64_t)(uintptr_t)w->slot[REGION]);
	workload_expect(w, VIRT_OTHER(w->huge), SHMEM_WRITE(w->huge));
}

static void collapse(struct workload *w)
{
	madvise(w->slot[REGION], w->huge_page_size, MADV_HUGEPAGE);
	workload_collapse(w, w->slot[REGION], w->huge_page_size);
	madvise(w->slot[REGION], w->huge_page_size, MADV_NOHUGEPAGE);
	workload_expect(w, SHMEM_WRITE(-w->huge), SHMEM_HUGE(w->huge));
}

/*
 * A PMD must be inside one mapping. A mapping that ends inside the huge page makes the kernel drop
 * the PMD, and faults map small pages.
 */
static void by_pages(struct workload *w)
{
	char *p = w->slot[REGION];

	workload_protect(w, p, w->page_size, PROT_READ);
	touch_read(w, p, 1);
	touch_write(w, p + w->page_size, (size_t)w->huge - 1);
	workload_protect(w, p, w->page_size, PROT_READ | PROT_WRITE);
	workload_expect(w, SHMEM_HUGE(-w->huge), SHMEM_WRITE(w->huge));
}

static void judge(const struct trial *t, struct judgement *j)
{
	const struct mapping *m = trial_mapping(t, MAKE_IT_READ_ONLY, 0, WRITE_SMALL_PAGES,
						"address");

	judge_true(j, MAKE_IT_READ_ONLY, m && !m->writable, "maps shows the protection");
}

CASE(thp_shmem_huge) {
	.claim =
		"ShmemPmdMapped counts shmem that a PMD maps; when one page of it is unmapped, the whole huge page leaves RES until its pages are touched again",
	.because = "Splitting a file's PMD only removes it: __split_huge_pmd() writes no small "
		   "entries. The pages stay in the file, and faults map them again.",
	.said_by = SAID_BY("proc_pid_smaps(5), ShmemPmdMapped"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(WRITE_SMALL_PAGES, "write small pages", map_and_write),
		       STEP("MADV_COLLAPSE", collapse),
		       /* A read-only PMD still maps the huge page, and is still dirty. */
		       STEP_AS(MAKE_IT_READ_ONLY, "make it read-only", step_protect, .pages = THP,
			       .prot = PROT_READ),
		       STEP("make it writable", step_protect, .pages = THP,
			    .prot = PROT_READ | PROT_WRITE),
		       STEP("map small pages", by_pages), STEP("MADV_COLLAPSE again", collapse),
		       STEP("unmap one page", step_unmap, .pages = 1,
			    MOVES(VIRT_OTHER(-1), SHMEM_HUGE(-THP))),
		       STEP("touch the rest", step_write, .first = 1, .pages = THP - 1,
			    MOVES(SHMEM_WRITE(THP - 1)))),
	.posts = POSTS(VIRT_OTHER(1), SHMEM_WRITE(1), SHMEM_HUGE(1)),
	.judge = judge,
};
