// SPDX-License-Identifier: GPL-2.0-or-later
/*\
 * Verify that a new mapping stays soft-dirty when it merges with an older one
 * that clear_refs has cleaned. All pages mapped since then are soft-dirty, even
 * those that were never touched (bit 55 of /proc/self/pagemap).
 *
 * [Algorithm]
 *
 * - Map and write a page, make it read-only, write 4 to clear_refs
 * - Map two pages beside it, writable, and write the first of them
 * - Make the old page writable, too: the kernel merges the mappings
 * - Bit 55 must be set for the page that was never touched
 */

#include <sys/mman.h>
#include "tst_test.h"

#define SOFT_DIRTY (1ULL << 55)

static int soft_dirty(const char *page)
{
	uint64_t word;
	int fd = SAFE_OPEN("/proc/self/pagemap", O_RDONLY);

	SAFE_LSEEK(fd, (uintptr_t)page / getpagesize() * sizeof(word), SEEK_SET);
	SAFE_READ(1, fd, &word, sizeof(word));
	SAFE_CLOSE(fd);
	return !!(word & SOFT_DIRTY);
}

static void protect(char *page, int prot)
{
	if (mprotect(page, getpagesize(), prot))
		tst_brk(TBROK | TERRNO, "mprotect");
}

static void run(void)
{
	size_t page = getpagesize();
	char *old = SAFE_MMAP(NULL, 4 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + page;

	protect(old, PROT_READ | PROT_WRITE);
	*old = 1;
	protect(old, PROT_READ);
	SAFE_FILE_PRINTF("/proc/self/clear_refs", "4");
	TST_EXP_EQ_LI(soft_dirty(old), 0);

	SAFE_MMAP(old + page, 2 * page, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	old[page] = 1;
	TST_EXP_EQ_LI(soft_dirty(old + 2 * page), 1);
	protect(old, PROT_READ | PROT_WRITE);
	TST_EXP_EQ_LI(soft_dirty(old + 2 * page), 1);

	SAFE_MUNMAP(old - page, 4 * page);
}

static struct tst_test test = {
	.test_all = run,
	.needs_kconfigs = (const char *[]) {
		"CONFIG_MEM_SOFT_DIRTY=y",
		NULL
	},
	.tags = (const struct tst_tag[]) {
		{"linux-git", "6707915e030a"},
		{}
	}
};
