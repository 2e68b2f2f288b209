// SPDX-License-Identifier: MIT
/* Collapsing shmem with holes fills the holes, so the file's blocks include a whole huge page. */
#include <rssck/case.h>

enum { REGION = 0, FD = 0, TOUCHED = 16, SECTOR = 512 };
STEP_SYMBOLS(WRITE_SOME, COLLAPSE, PUNCH_A_HOLE);

static int64_t blocks(struct workload *w)
{
	struct stat st;

	workload_must(w, fstat(w->fd[FD], &st), "fstat");
	return st.st_blocks * SECTOR / (int64_t)w->page_size;
}

static void map_and_write(struct workload *w)
{
	w->fd[FD] = workload_shmem(w, (size_t)w->huge);
	w->slot[REGION] = workload_huge_map(w, 1, w->fd[FD]);
	madvise(w->slot[REGION], w->huge_page_size, MADV_NOHUGEPAGE);
	touch_write(w, w->slot[REGION], TOUCHED);
	workload_report(w, "blocks", blocks(w));
	workload_expect(w, VIRT_OTHER(w->huge), SHMEM_WRITE(TOUCHED));
}

static void collapse(struct workload *w)
{
	madvise(w->slot[REGION], w->huge_page_size, MADV_HUGEPAGE);
	workload_collapse(w, w->slot[REGION], w->huge_page_size);
	madvise(w->slot[REGION], w->huge_page_size, MADV_NOHUGEPAGE);
	workload_report(w, "blocks", blocks(w));
	workload_report(w, "pages", w->huge);
	workload_expect(w, SHMEM_WRITE(-TOUCHED), SHMEM_HUGE(w->huge));
}

/* Punches out the second half, which splits the mapping. Touching the first half maps it again. */
static void punch(struct workload *w)
{
	off_t half = (off_t)w->huge_page_size / 2;

	workload_punch(w, w->fd[FD], half, half);
	touch_write(w, w->slot[REGION], (size_t)w->huge / 2);
	workload_report(w, "blocks", blocks(w));
	workload_expect(w, SHMEM_HUGE(-w->huge), SHMEM_WRITE(w->huge / 2));
}

static void judge(const struct trial *t, struct judgement *j)
{
	int64_t huge = trial_reported(t, COLLAPSE, "pages");

	judge_reported(t, j, WRITE_SOME, "blocks", "st_blocks", TOUCHED,
		       "st_blocks counts the touched pages");
	judge_reported(t, j, COLLAPSE, "blocks", "st_blocks", huge,
		       "st_blocks also counts the pages that the collapse filled in");
	judge_reported(t, j, PUNCH_A_HOLE, "blocks", "st_blocks", huge / 2,
		       "st_blocks does not count the pages that were punched out");
}

CASE(thp_shmem_collapse_hole) {
	.claim = "Collapsing shmem with holes makes a whole huge page: RssShmem and the file's "
		 "block count rise by the pages that are filled in",
	.because = "collapse_file() clears the missing pages and charges them to the file "
		   "(shmem_charge()). Punching a hole subtracts them.",
	.said_by = SAID_BY("madvise(2), MADV_COLLAPSE", "fallocate(2), FALLOC_FL_PUNCH_HOLE"),
	.needs = NEEDS("thp"),
	.flags = CASE_THP,
	.steps = STEPS(STEP_AS(WRITE_SOME, "write some pages", map_and_write),
		       STEP_AS(COLLAPSE, "MADV_COLLAPSE", collapse),
		       STEP_AS(PUNCH_A_HOLE, "punch a hole", punch)),
	.posts = POSTS(VIRT_OTHER(1), SHMEM_WRITE(1), SHMEM_HUGE(1)),
	.judge = judge,
};
