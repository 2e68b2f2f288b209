// SPDX-License-Identifier: MIT
/* fork copies all page tables of a private file mapping once a page of it was written. */
#include <rssck/case.h>

enum { PAGES = 256, WRITTEN = 1, READ = PAGES - WRITTEN, REGION = 0, PARENT = 0, CHILD = 1 };

static void map_and_write_one(struct workload *w)
{
	w->slot[REGION] = workload_map(w, PAGES * w->page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
				       workload_file(w, PAGES), 0);
	touch_read(w, w->slot[REGION], PAGES);
	touch_write(w, w->slot[REGION], WRITTEN);
}

static void write_two(struct workload *w)
{
	touch_write(w, w->slot[REGION], WRITTEN + 1);
}

CASE(fork_file_written) {
	.claim = "One written page makes a child begin with all resident pages of a private file "
		 "mapping, shared",
	.because = "The write gave the mapping an anon_vma, and copy_page_range() then copies "
		   "every entry of it: no fault could bring the written page back. A file page "
		   "that the child writes leaves the child alone.",
	.said_by = SAID_BY("fork(2)", "mm/memory.c vma_needs_copy()"),
	.processes = 1,
	.steps = STEPS(STEP("read, write one", map_and_write_one, VIRT_DATA(PAGES), FILE_READ(READ),
			    ANON_WRITE(WRITTEN)),
		       STEP("fork", workload_fork_child,
			    RESHARED(PARENT, ACCOUNT_FILE, 0, READ, 1, 2),
			    RESHARED(PARENT, ACCOUNT_ANON, PAGE_DIRTY, WRITTEN, 1, 2),
			    { ACCOUNT_PRIVATE_WRITABLE, PAGES, 0, 0, CHILD },
			    { ACCOUNT_FILE, READ, 0, 2, CHILD },
			    { ACCOUNT_ANON, WRITTEN, PAGE_DIRTY, 2, CHILD }),
		       STEP_OF(CHILD, "child writes it, and a second", write_two,
			       RESHARED(PARENT, ACCOUNT_ANON, PAGE_DIRTY, WRITTEN, 2, 1),
			       RESHARED(CHILD, ACCOUNT_ANON, PAGE_DIRTY, WRITTEN, 2, 1),
			       RESHARED(PARENT, ACCOUNT_FILE, 0, 1, 2, 1),
			       { ACCOUNT_FILE, -1, 0, 2, CHILD },
			       { ACCOUNT_ANON, 1, PAGE_DIRTY, 1, CHILD }),
		       STEP("child exits", workload_reap_child,
			    RESHARED(PARENT, ACCOUNT_FILE, 0, READ - 1, 2, 1))),
};
