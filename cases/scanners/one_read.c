// SPDX-License-Identifier: MIT
/* One read of pagemap across mappings and holes shows the same entries as one read per page. */
#include <rssck/case.h>

/*
 * Blocks of pages are holes and partly written mappings in turn; the first and the last block are
 * holes.
 */
enum { BLOCK = 8, BLOCKS = 7, PAGES = BLOCKS * BLOCK, WRITTEN = 3, SIDE = 16, MOST = 256 };
enum { REGION = 0, MAPPED = BLOCKS / 2 };

static uint64_t *entries(struct workload *w, uint64_t start, int64_t pages, uint64_t *words)
{
	int fd = workload_open_pagemap(w);
	int64_t n;

	n = pagemap_entries(fd, (long)w->page_size, start, start + (uint64_t)pages * w->page_size,
			    words);
	close(fd);
	if (n != pages)
		workload_fail(w, "a read of %lld entries of pagemap returned %lld",
			      (long long)pages, (long long)n);
	return words;
}

/*
 * Maps the blocks after clear_refs 4, so that all pages of the mappings are soft-dirty, and none of
 * the holes.
 */
static void map_with_holes(struct workload *w)
{
	char *p = workload_map_pages(w, PAGES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	munmap(p, PAGES * w->page_size);
	workload_clear_refs(w, '4');
	for (size_t block = 1; block < BLOCKS; block += 2) {
		char *at = p + block * BLOCK * w->page_size;

		if (mmap(at, BLOCK * w->page_size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			workload_die(w, "mmap: %m");
		touch_write(w, at, WRITTEN);
	}
	w->slot[REGION] = p;
}

static void read_holes(struct workload *w)
{
	uint64_t words[PAGES];

	entries(w, (uintptr_t)w->slot[REGION], PAGES, words);
	for (size_t i = 0; i < PAGES; i++) {
		bool mapped = i / BLOCK % 2, written = mapped && i % BLOCK < WRITTEN;

		if (!mapped && words[i])
			workload_fail(w, "the entry of an unmapped page is %#llx, not 0",
				      (unsigned long long)words[i]);
		if (!!(words[i] & PAGEMAP_PRESENT) != written)
			workload_fail(w, "page %zu, %s, is %spresent", i,
				      written ? "written" : "untouched", written ? "not " : "");
	}
	workload_checked(w);
}

/* Finds [vvar]. Up to 7.2 it is VM_PFNMAP, so the kernel looks up no struct page for its frames. */
static bool find_vvar(uint64_t *start, uint64_t *end)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned long long from, to;
	char line[512];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f)) {
		found = strstr(line, "[vvar]") && sscanf(line, "%llx-%llx ", &from, &to) == 2;
		if (found) {
			*start = from;
			*end = to;
		}
	}
	if (f)
		fclose(f);
	return found;
}

static void read_across_vvar(struct workload *w)
{
	uint64_t start = 0, end = 0, at, together[MOST], alone;
	int64_t pages;

	if (!find_vvar(&start, &end))
		workload_skip_step(w, "the mapping [vvar]");
	start -= SIDE * w->page_size;
	end += SIDE * w->page_size;
	pages = (int64_t)((end - start) / w->page_size);
	if (pages > MOST)
		workload_skip_step(w, "a small [vvar]");
	entries(w, start, pages, together);
	for (int64_t i = 0; i < pages; i++) {
		at = start + (uint64_t)i * w->page_size;
		if (*entries(w, at, 1, &alone) != together[i])
			workload_fail(w,
				      "the entry of page %lld is %#llx if read alone, but "
				      "%#llx in a larger read",
				      (long long)i, (unsigned long long)alone,
				      (unsigned long long)together[i]);
	}
	workload_checked(w);
}

CASE(scanners_one_read) {
	.claim = "One read of pagemap across mappings and holes returns each page's own entry; "
		 "the entry of an unmapped page is empty, and its soft-dirty bit is clear",
	.because = "The walk calls pagemap_pte_hole() for ranges without a page table and for "
		   "mappings without pages. It writes one entry per page, and sets the "
		   "soft-dirty bit only inside a mapping that has VM_SOFTDIRTY.",
	.said_by = SAID_BY("Documentation/admin-guide/mm/pagemap.rst",
			   "Documentation/admin-guide/mm/soft-dirty.rst"),
	.steps = STEPS(STEP("map with holes", map_with_holes,
			    MOVES(VIRT_DATA(MAPPED *BLOCK), ANON_WRITE(MAPPED *WRITTEN))),
		       STEP("read the holes", read_holes, .checks = 1),
		       STEP("read across [vvar]", read_across_vvar, .checks = 1)),
};
