// SPDX-License-Identifier: MIT
/* A uprobe in text on shmem removes the page from RssShmem, not from RssFile. */
#include "../file/uprobe.h"

enum { PAGES = 32, PROBED = 7, REGION = 0, FD = 0, PROBE = 1 };

/*
 * Offset of the probe in its page. touch_write() overwrites the first byte of each page, which may
 * then be no valid instruction.
 */
enum { ZEROES = 64 };

static void map_and_write(struct workload *w)
{
	void *p;

	w->fd[FD] = workload_shmem(w, PAGES);
	p = workload_shared(w, PAGES, w->fd[FD]);
	touch_write(w, p, PAGES);
	workload_unmap(w, p, PAGES * w->page_size);
	w->slot[REGION] = workload_map_text(w, w->fd[FD], PAGES);
	touch_read(w, w->slot[REGION], PAGES);
}

/* The copy is clean or dirty, depending on the kernel; the other pages are dirty. */
static void put_in(struct workload *w)
{
	int64_t clean;

	w->fd[PROBE] = uprobe_put_in(w, w->fd[FD], PROBED * w->page_size + ZEROES);
	clean = workload_pages_clean(w, w->slot[REGION]);
	workload_expect(w, ANON_CLEAN(clean), ANON_WRITE(1 - clean));
}

CASE(shmem_uprobe) {
	.claim = "A uprobe in a shmem file moves the probed page from RssShmem to RssAnon, and "
		 "does not change RssFile",
	.because = "__replace_page() subtracts the old page from mm_counter_file(). A tmpfs page "
		   "is swap-backed, so this counter is MM_SHMEMPAGES.",
	.said_by = SAID_BY("Documentation/trace/uprobetracer.rst"),
	.needs = NEEDS("root"),
	.steps = STEPS(STEP("map and read", map_and_write,
			    MOVES(VIRT_EXEC(PAGES), SHMEM_WRITE(PAGES))),
		       STEP("put a probe in", put_in, MOVES(SHMEM_WRITE(-1)))),
};
