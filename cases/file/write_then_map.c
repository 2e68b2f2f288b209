// SPDX-License-Identifier: MIT
/*
 * smaps shows pages that write(2) made dirty as dirty, even in a process that only reads them,
 * until writeback.
 */
#include <rssck/case.h>

enum { PAGES = 256, HALF = PAGES / 2, FD = 0, CLEAN = 0 };

static void write_file(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	for (size_t i = 0; i < PAGES; i++)
		if (pwrite(w->fd[FD], "x", 1, (off_t)(i * w->page_size)) != 1)
			workload_die(w, "pwrite: %m");
}

/* The pages must still be dirty, so the file system must not write them back yet. */
static void map_and_read(struct workload *w)
{
	workload_case_needs_lazy_writes(w, w->fd[FD]);
	step_map_again(w);
}

static void cleaned(struct workload *w, int64_t pages)
{
	workload_expect(w, FILE_CLEANED(pages));
	w->number[CLEAN] += pages;
}

/*
 * The file system decides how much it cleans: overlayfs, and ext4 with data=journal, clean nothing;
 * btrfs cleans a whole compressed extent.
 */
static void sync_half(struct workload *w)
{
	workload_needs_writeback(w, w->fd[FD]);
	if (sync_file_range(w->fd[FD], 0, (off_t)(HALF * w->page_size),
			    SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER) < 0)
		workload_skip_step(w, "sync_file_range(2): %m");
	cleaned(w, workload_pages_clean(w, w->slot[0]));
}

static void sync_all(struct workload *w)
{
	workload_needs_writeback(w, w->fd[FD]);
	workload_must(w, fsync(w->fd[FD]), "fsync");
	cleaned(w, PAGES - w->number[CLEAN]);
}

CASE(file_write_then_map) {
	.claim = "Private_Dirty of a mapping that was only read counts the file's pages that "
		 "write(2) made dirty; after fsync they are clean",
	.because = "smaps calls a page dirty if its entry or the page itself (PageDirty) is "
		   "dirty. So Private_Dirty of a file mapping does not show what the process "
		   "wrote.",
	.said_by = SAID_BY("proc_pid_smaps(5), Private_Dirty", "sync_file_range(2)"),
	.steps = STEPS(STEP("write(2)", write_file),
		       STEP("map and read", map_and_read, .pages = PAGES, .prot = PROT_READ,
			    .mapping = MAP_PRIVATE, .read = PAGES,
			    MOVES(VIRT_OTHER(PAGES), FILE_WRITE(PAGES))),
		       STEP("sync_file_range half", sync_half), STEP("fsync", sync_all)),
};
