// SPDX-License-Identifier: MIT
/* MAP_POPULATE makes RSS at mmap(): copies in a private writable mapping, clean pages elsewhere. */
#include <rssck/case.h>

enum { PAGES = 256, FD = 0 };

static void populate(struct workload *w, int prot, int flags)
{
	workload_map(w, PAGES * w->page_size, prot, flags | MAP_POPULATE, w->fd[FD], 0);
}

static void private_read_only(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	populate(w, PROT_READ, MAP_PRIVATE);
}

/* A file of its own: nobody else maps its pages. */
static void shared_writable(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	populate(w, PROT_READ | PROT_WRITE, MAP_SHARED);
}

static void private_writable(struct workload *w)
{
	w->fd[FD] = workload_file(w, PAGES);
	populate(w, PROT_READ | PROT_WRITE, MAP_PRIVATE);
}

CASE(file_populate) {
	.claim = "MAP_POPULATE makes a private writable file mapping RssAnon in full at once, and "
		 "any other file mapping RssFile, clean",
	.because = "populate_vma_page_range() takes write faults where the mapping is writable and "
		   "private, so that each page is copied; a shared mapping is only read, so that "
		   "the file does not become dirty.",
	.said_by = SAID_BY("mmap(2), MAP_POPULATE"),
	.steps = STEPS(STEP("private, read-only", private_read_only,
			    MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES))),
		       STEP("shared, writable", shared_writable,
			    MOVES(VIRT_OTHER(PAGES), FILE_READ(PAGES))),
		       STEP("private, writable", private_writable,
			    MOVES(VIRT_DATA(PAGES), ANON_WRITE(PAGES)))),
};
