// SPDX-License-Identifier: MIT
/*
 * A line of maps shows the mapping's file by device and inode, and the mapping's offset in the
 * file.
 */
#include <rssck/case.h>
#include <sys/sysmacros.h>

enum { PAGES = 8, FIRST = 3, CUT = 2 };
STEP_SYMBOLS(MAP, CUT_THE_HEAD_OFF, MAP_A_REAL_FILE);

static void report_file(struct workload *w, int fd)
{
	struct stat st;

	workload_must(w, fstat(fd, &st), "fstat");
	workload_report(w, "inode", (int64_t)st.st_ino);
	workload_report(w, "major", major(st.st_dev));
	workload_report(w, "minor", minor(st.st_dev));
}

/* Checks only the offset: overlayfs and btrfs may show another device than fstat(2). */
static void map_file(struct workload *w)
{
	void *p = workload_map(w, (PAGES - FIRST) * w->page_size, PROT_READ, MAP_PRIVATE,
			       workload_file(w, PAGES), (off_t)(FIRST * w->page_size));

	workload_report(w, "start", (int64_t)(uintptr_t)p);
}

static void map(struct workload *w)
{
	int fd = workload_shmem(w, PAGES);
	char *p = workload_map(w, (PAGES - FIRST) * w->page_size, PROT_READ, MAP_SHARED, fd,
			       (off_t)(FIRST * w->page_size));

	w->slot[0] = p;
	report_file(w, fd);
	workload_report(w, "start", (int64_t)(uintptr_t)p);
}

static void cut(struct workload *w)
{
	char *p = w->slot[0];

	workload_must(w, munmap(p, CUT * w->page_size), "munmap");
	workload_report(w, "start", (int64_t)(uintptr_t)p + (int64_t)(CUT * w->page_size));
}

static void judge_file(const struct trial *t, struct judgement *j, unsigned step)
{
	const struct mapping *m = trial_mapping(t, step, 0, step, "start");

	if (!m)
		return judge_true(j, step, false, "maps has a line for the mapping");
	judge_equal_in(j, "", step, "inode", (int64_t)m->inode, trial_reported(t, MAP, "inode"),
		       "maps shows the inode that fstat(2) reports");
	judge_equal_in(j, "", step, "device, major", m->dev_major, trial_reported(t, MAP, "major"),
		       "maps shows the device that fstat(2) reports");
	judge_equal_in(j, "", step, "device, minor", m->dev_minor, trial_reported(t, MAP, "minor"),
		       "maps shows the device that fstat(2) reports");
}

static void judge_offset(const struct trial *t, struct judgement *j, unsigned step,
			 int64_t first_page)
{
	const struct mapping *m = trial_mapping(t, step, 0, step, "start");

	judge_equal(j, step, "offset", m ? (int64_t)m->offset / t->host->page_size : -1, first_page,
		    "maps shows the offset of the mapping's first byte in the file");
}

static void judge(const struct trial *t, struct judgement *j)
{
	judge_offset(t, j, MAP, FIRST);
	judge_offset(t, j, CUT_THE_HEAD_OFF, FIRST + CUT);
	judge_offset(t, j, MAP_A_REAL_FILE, FIRST);
	judge_file(t, j, MAP);
	judge_file(t, j, CUT_THE_HEAD_OFF);
}

CASE(virtual_maps_line) {
	.claim = "maps shows a mapping's file by device and inode, and the mapping's offset in "
		 "the file, even after the start of the mapping is unmapped",
	.because = "show_map_vma() prints the inode's number, the device of its super block, and "
		   "vm_pgoff in bytes. A split of the mapping adjusts vm_pgoff.",
	.said_by = SAID_BY("proc_pid_maps(5)"),
	.steps = STEPS(STEP_AS(MAP, "map", map, MOVES(VIRT_OTHER(PAGES - FIRST))),
		       STEP_AS(CUT_THE_HEAD_OFF, "unmap the first pages", cut,
			       MOVES(VIRT_OTHER(-CUT))),
		       STEP_AS(MAP_A_REAL_FILE, "map a file on disk", map_file,
			       MOVES(VIRT_OTHER(PAGES - FIRST)))),
	.judge = judge,
};
