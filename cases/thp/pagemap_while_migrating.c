// SPDX-License-Identifier: MIT
/* Reads pagemap while a huge page migrates: the entries of one read must be consistent. */
#include "base/clock.h"
#include <rssck/case.h>

/* A swap entry in pagemap has the device in the low 5 bits, and the offset above them. */
enum { REGION = 0, ENTRIES = 1, LIMIT_MS = 1000, READS = 16, OFFSET_SHIFT = 5 };

static void map_and_write(struct workload *w)
{
	size_t pages = ((size_t)w->huge * sizeof(uint64_t) - 1) / w->page_size + 1;

	w->slot[ENTRIES] = workload_written(w, pages);
	workload_expect(w, VIRT_DATA((int64_t)pages), ANON_WRITE((int64_t)pages));
	w->slot[REGION] = workload_huge_page(w);
	workload_advise(w, w->slot[REGION], w->huge_page_size, MADV_DONTFORK);
}

static bool migrate(const struct workload *w, pid_t of)
{
	return workload_migrate_to_and_fro(w, of, w->slot[REGION], 1, MPOL_MF_MOVE);
}

/*
 * Checks the entries from page `from` on. The kernel fills them in under the PMD's lock, so either
 * all or none are present, and the frames are consecutive and aligned.
 */
static void check(struct workload *w, const uint64_t *words, uint64_t from)
{
	unsigned shift = words[0] & PAGEMAP_SWAP ? OFFSET_SHIFT : 0;
	uint64_t huge = (uint64_t)w->huge, frame = PAGEMAP_PFN(words[0]);

	for (uint64_t i = 0; i < huge - from; i++)
		if (words[i] != words[0] + (frame ? i << shift : 0))
			workload_fail(
				w,
				"entry %d of a huge page is %#llx, which does not fit entry %d, %#llx",
				(int)(from + i), (unsigned long long)words[i], (int)from,
				(unsigned long long)words[0]);
	if (frame && (frame >> shift) % huge != from)
		workload_fail(
			w,
			"entry %d of a huge page is %#llx, whose frame number is wrong for this place in a huge page",
			(int)from, (unsigned long long)words[0]);
}

static void watch(struct workload *w)
{
	uint64_t *words = w->slot[ENTRIES], start = (uintptr_t)w->slot[REGION];
	int fd = workload_open_pagemap(w);
	int64_t migrating[2] = { 0, 0 }; /* reads that began at the first page, and in the middle */
	struct beside *b;
	int64_t end;

	if (!workload_node_has_huge(w, 1))
		workload_skip(w,
			      "a second memory node with a free huge page (in QEMU: -numa node)");
	b = workload_beside(w, migrate);
	workload_beside_go(b);
	end = now_ms() + LIMIT_MS;
	for (uint64_t from = 0; (migrating[0] < READS || migrating[1] < READS) && now_ms() < end;
	     from ^= (uint64_t)w->huge / 2) {
		if (pagemap_entries(fd, (long)w->page_size, start + from * w->page_size,
				    start + w->huge_page_size, words) != w->huge - (int64_t)from)
			workload_die(w, "/proc/self/pagemap: %m");
		check(w, words, from);
		migrating[from > 0] += !!(words[0] & PAGEMAP_SWAP);
	}
	workload_beside_ends(w, b);
	close(fd);
	if (!migrating[0] && !migrating[1])
		workload_skip(w, "a read of pagemap during a migration (in QEMU: -numa node)");
	workload_checked(w);
}

CASE(thp_pagemap_while_migrating) {
	.claim = "While a huge page migrates, pagemap shows migration entries with consecutive "
		 "frames, wherever a read starts",
	.because = "pagemap_pmd_range() holds the PMD's lock and finds a migration entry in it. "
		   "Each page's offset is the first page's offset plus the page's index.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst"),
	.needs = NEEDS("thp", "guest"),
	.flags = CASE_THP | CASE_ALL_CPUS,
	.steps = STEPS(STEP("write a huge page", map_and_write),
		       STEP("read during migration", watch, .checks = 1)),
	.posts = POSTS(VIRT_DATA(1), ANON_WRITE(1), ANON_HUGE(1)),
};
