// SPDX-License-Identifier: MIT
/* Another process pages a mapping out and in while its pagemap and smaps are read. */
#include "meanwhile.h"
#include <sys/uio.h>

STEP_SYMBOLS(OF_CLEARED, OF_WRITTEN, OF_PROTECTED);

/* process_vm_readv(2) of one byte per page faults the pages in again. */
static bool page_out_and_in(const struct workload *w, pid_t of)
{
	size_t pages = watched.pages, all = pages * w->page_size;
	struct iovec each[MEANWHILE_PAGES];
	char bytes[MEANWHILE_PAGES];
	struct iovec to = { bytes, pages };
	bool advised = workload_page_out_of(of, watched.start, all) == (ssize_t)all;

	for (size_t i = 0; i < pages; i++)
		each[i] = (struct iovec) { watched.start + i * w->page_size, 1 };
	return process_vm_readv(of, &to, 1, each, pages, 0) == (ssize_t)pages && advised;
}

/* Not listed, so they must not change: Rss + Swap, ENTRIES_EMPTY, soft-dirty and uffd-wp. */
static const struct allowed allowed[] = {
	{ ENTRIES_EXCLUSIVE, true, true, ALL_KINDS },
	{ CORE, true, false, ALL_KINDS },
	{ SMAPS_DIRTY, true, false, ALL_KINDS },
	{ SMAPS_ALL, true, false, ALL_KINDS },
	{ SMAPS_RSS, true, false, ALL_KINDS },
	{ SMAPS_PSS, true, false, ALL_KINDS },
	{ SMAPS_REFERENCED, true, true, ALL_KINDS },
	{ SMAPS_ANONYMOUS, true, false, ALL_KINDS },
	{ SMAPS_SWAP, false, true, ALL_KINDS },
	{ SMAPS_PRIVATE, true, true, ALL_KINDS },
	{ SMAPS_PRIVATE_DIRTY, true, true, ALL_KINDS },
	{ SMAPS_PRIVATE_CLEAN, true, true, ALL_KINDS },
	{ SMAPS_SHARED_DIRTY, true, true, ALL_KINDS },
	{ SMAPS_SHARED_CLEAN, true, true, ALL_KINDS },
	{ STATUS_RSS, true, true, ALL_KINDS },
	{ STATUS_ANON, true, true, ALL_KINDS },
	{ STATUS_SWAP, true, true, ALL_KINDS },
};

static const struct meanwhile_act paging = {
	page_out_and_in,
	"process_madvise(2) with MADV_PAGEOUT (Linux 5.10)",
	allowed,
	sizeof(allowed) / sizeof(*allowed),
};

static void read_meanwhile(struct workload *w)
{
	watch_kind(w, &paging);
}

static void judge(const struct trial *t, struct judgement *j)
{
	bool swapped = false;

	meanwhile_judge_written(t, j, OF_WRITTEN);
	for (unsigned s = OF_CLEARED; s <= OF_PROTECTED; s++) {
		meanwhile_judge(t, j, s,
				"while pages are paged out and in, the number stays between its "
				"values before and after");
		swapped |= trial_reported(t, s, "moments") > 0;
	}
	judge_true(j, OF_CLEARED, swapped, "at least one reading finds swapped pages");
}

#define ROW(kind, title) STEP_AS(OF_##kind, title, read_meanwhile, .argument = (kind), .checks = 1)

CASE(scanners_while_paged_out) {
	.claim = "While anonymous pages are paged out and faulted in again, each reading of "
		 "pagemap finds every page present or swapped, with its soft-dirty and uffd-wp "
		 "bits, and Rss + Swap in smaps does not change",
	.because = "try_to_unmap_one() replaces a present entry by a swap entry; do_swap_page() "
		   "replaces the swap entry by a present one. Both keep the soft-dirty and uffd-wp "
		   "bits and hold the page table lock. smaps counts an entry in Rss or in Swap.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst", "process_madvise(2)"),
	.needs = NEEDS("root", "swap"),
	.flags = CASE_ALL_CPUS,
	.steps = STEPS(ROW(CLEARED, "pages written before clear_refs 4"),
		       ROW(WRITTEN, "pages written after clear_refs 4"),
		       ROW(PROTECTED, "pages write-protected by userfaultfd")),
	.judge = judge,
};
