// SPDX-License-Identifier: GPL-2.0-or-later
/*\
 * Verify that the ioctl PAGEMAP_SCAN reports PAGE_IS_PFNZERO for the huge zero
 * page, as it does for the small one.
 *
 * [Algorithm]
 *
 * - Read, but do not write, a huge page of private memory with MADV_HUGEPAGE
 * - Scan it for PAGE_IS_PFNZERO: all its pages must be in the ranges
 */

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <linux/fs.h>
#include "tst_test.h"

#define HPAGE_SIZE_FILE "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size"
#define USE_ZERO_FILE "/sys/kernel/mm/transparent_hugepage/use_zero_page"

/* linux/fs.h defines these since 6.7. */
#ifndef PAGEMAP_SCAN
# define PAGE_IS_PFNZERO (1 << 5)

struct page_region {
	uint64_t start, end, categories;
};

struct pm_scan_arg {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
	uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};

# define PAGEMAP_SCAN _IOWR('f', 16, struct pm_scan_arg)
#endif

static size_t huge;

static void run(void)
{
	struct page_region found[8];
	size_t bytes = 0;
	int i, nr, fd = SAFE_OPEN("/proc/self/pagemap", O_RDONLY);
	char *p, *region = SAFE_MMAP(NULL, 2 * huge, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	p = (char *)(((uintptr_t)region + huge - 1) & ~(huge - 1));
	if (madvise(p, huge, MADV_HUGEPAGE))
		tst_brk(TCONF | TERRNO, "MADV_HUGEPAGE");
	(void)*(volatile char *)p;

	struct pm_scan_arg arg = {
		.size = sizeof(arg),
		.start = (uintptr_t)p,
		.end = (uintptr_t)p + huge,
		.vec = (uintptr_t)found,
		.vec_len = ARRAY_SIZE(found),
		.category_mask = PAGE_IS_PFNZERO,
		.return_mask = PAGE_IS_PFNZERO,
	};

	nr = ioctl(fd, PAGEMAP_SCAN, &arg);
	if (nr < 0)
		tst_brk(TCONF | TERRNO, "PAGEMAP_SCAN is not supported");
	for (i = 0; i < nr; i++)
		bytes += found[i].end - found[i].start;

	TST_EXP_EQ_SZ(bytes, huge);
	SAFE_CLOSE(fd);
	SAFE_MUNMAP(region, 2 * huge);
}

static void setup(void)
{
	int use;

	if (access(HPAGE_SIZE_FILE, R_OK) || access(USE_ZERO_FILE, R_OK))
		tst_brk(TCONF, "no transparent huge pages");
	SAFE_FILE_SCANF(HPAGE_SIZE_FILE, "%zu", &huge);
	SAFE_FILE_SCANF(USE_ZERO_FILE, "%d", &use);
	if (!use)
		tst_brk(TCONF, "use_zero_page is 0");
}

static struct tst_test test = {
	.setup = setup,
	.test_all = run,
	.tags = (const struct tst_tag[]) {
		{"linux-git", "4a5e85f4eb8f"},
		{}
	}
};
