// SPDX-License-Identifier: MIT
/*
 * Implements verbs that read each page's state in two ways. A page whose state differs before and
 * after is left out, because reclaim or compaction may have changed it.
 */
#include "agent/agent.h"
#include "verbs.h"
#include <inttypes.h>
#include <rssck/source.h>
#include <stdio.h>
#include <string.h>

static int read_entries(const struct worker *k, const struct act *a, uint64_t *words)
{
	return act_entries(k, act_address(k, a), a->pages, words);
}

/* Marks the pages that have no file and so no page cache, and hugetlb pages. */
static void find_bare(const struct worker *k, const struct act *a, bool *bare)
{
	uint64_t at = (uintptr_t)act_address(k, a), end = at + act_bytes(k, a);
	FILE *f = fopen("/proc/self/maps", "re");
	uint64_t from, to, inode;
	char line[512], perms[5];
	int name;

	memset(bare, 0, a->pages * sizeof(*bare));
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %" SCNu64 " %n", &from, &to,
			   perms, &inode, &name) != 4 ||
		    ((inode || perms[3] != 'p') && strncmp(line + name, "/anon_hugepage", 14)))
			continue;
		from = from < at ? at : from;
		for (to = to > end ? end : to; from < to; from += k->page)
			bare[(from - at) / k->page] = true;
	}
	if (f)
		fclose(f);
}

/*
 * Compares mincore(2) with pagemap, by the rules of mincore_pte_range(): a present page is
 * resident. An empty entry or a marker is resident only if the page cache has the page. Swapped
 * pages are left out, because the swap cache decides there.
 */
void verb_mincore_mapped(struct worker *k, const struct act *a)
{
	static uint64_t before[ACT_REGION_PAGES], after[ACT_REGION_PAGES];
	static unsigned char in_core[ACT_REGION_PAGES];
	static bool bare[ACT_REGION_PAGES];

	find_bare(k, a, bare);
	act_result(k, read_entries(k, a, before));
	act_result(k, mincore(act_address(k, a), act_bytes(k, a), in_core));
	if (!k->outcome.error)
		act_result(k, read_entries(k, a, after));
	for (uint32_t i = 0; i < a->pages && !k->outcome.error; i++) {
		bool present = before[i] & PAGEMAP_PRESENT;

		if (before[i] != after[i] || before[i] & PAGEMAP_SWAP || !(present || bare[i]))
			continue;
		k->outcome.expected++;
		k->outcome.seen += (in_core[i] & 1) == present;
	}
}

/*
 * For each page that has all categories of `mask`, adds those of its categories that are in `tell`
 * to its element of `categories`. Returns the number of ranges, or -1 with errno.
 */
static int scan_pages(const struct worker *k, const struct act *a, uint64_t mask, uint64_t tell,
		      uint64_t *categories)
{
	static struct scan_region found[ACT_REGION_PAGES];
	uint64_t at = (uintptr_t)act_address(k, a);
	struct scan_arg arg = { SCAN_OF(at, act_bytes(k, a), found, ACT_REGION_PAGES),
				.category_mask = mask, .return_mask = tell };
	int n;

	n = agent_scan(&arg);
	for (int i = 0; i < n; i++)
		for (uint64_t p = found[i].start; p < found[i].end; p += k->page)
			categories[(p - at) / k->page] |= found[i].categories;
	return n;
}

struct told {
	uint64_t all, again, alone; /* categories: from one query, from its repetition, and from one
				       query for each category */
	uint64_t word;              /* the page's entry in pagemap */
};

/*
 * A known bug: from 6.7 to 7.2 an empty entry is reported as written only by a scan that requests
 * no other category.
 */
static bool is_known(const struct told *t)
{
	return (t->alone ^ t->all) == SCAN_WRITTEN && t->alone & SCAN_WRITTEN &&
	       !(t->word & (PAGEMAP_PRESENT | PAGEMAP_SWAP | PAGEMAP_UFFD_WP));
}

enum { EACH = 8, ALL = (1 << EACH) - 1 };

static void ask_each(struct worker *k, const struct act *a, uint64_t of[4][ACT_REGION_PAGES])
{
	act_result(k, scan_pages(k, a, 0, ALL, of[0]));
	for (unsigned i = 0; i < EACH && !k->outcome.error; i++)
		act_result(k, scan_pages(k, a, 1u << i, 1u << i, of[1]));
	act_result(k, read_entries(k, a, of[2]));
	act_result(k, scan_pages(k, a, 0, ALL, of[3]));
}

/*
 * Requests each category alone, and compares the results with one query for all: the kernel handles
 * some queries in separate code (pagemap_scan_pmd_entry()).
 */
void verb_scan_each(struct worker *k, const struct act *a)
{
	static uint64_t of[4][ACT_REGION_PAGES];

	memset(of, 0, sizeof(of));
	ask_each(k, a, of);
	for (uint32_t i = 0; i < a->pages && !k->outcome.error; i++) {
		struct told t = {
			.all = of[0][i], .alone = of[1][i], .word = of[2][i], .again = of[3][i]
		};

		if (t.all != t.again)
			continue;
		if (is_known(&t)) {
			k->outcome.known++;
			continue;
		}
		k->outcome.expected++;
		k->outcome.seen += t.alone == t.all;
	}
}
