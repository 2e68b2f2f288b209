// SPDX-License-Identifier: GPL-2.0-or-later
/*\
 * Verify that /proc/kpageflags sets KPF_KSM for merged pages only: a private
 * page without MADV_MERGEABLE has KPF_ANON and not KPF_KSM.
 */

#include <sys/mman.h>
#include <linux/kernel-page-flags.h>
#include "tst_test.h"

#define PRESENT (1ULL << 63)
#define PFN_MASK ((1ULL << 55) - 1)

static uint64_t word_of(const char *file, uint64_t index)
{
	uint64_t word;
	int fd = SAFE_OPEN(file, O_RDONLY);

	SAFE_LSEEK(fd, index * sizeof(word), SEEK_SET);
	SAFE_READ(1, fd, &word, sizeof(word));
	SAFE_CLOSE(fd);
	return word;
}

static void run(void)
{
	size_t page = getpagesize();
	uint64_t entry, flags;
	char *p = SAFE_MMAP(NULL, page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*p = 1;
	entry = word_of("/proc/self/pagemap", (uintptr_t)p / page);
	if (!(entry & PRESENT) || !(entry & PFN_MASK))
		tst_brk(TCONF, "the page's frame number cannot be seen");
	flags = word_of("/proc/kpageflags", entry & PFN_MASK);

	TST_EXP_EXPR(flags & (1ULL << KPF_ANON), "KPF_ANON of a private page");
	TST_EXP_EXPR(!(flags & (1ULL << KPF_KSM)), "no KPF_KSM of a page that is not merged");
	SAFE_MUNMAP(p, page);
}

static struct tst_test test = {
	.test_all = run,
	.needs_root = 1,
	.needs_kconfigs = (const char *[]) {
		"CONFIG_PROC_PAGE_MONITOR=y",
		NULL
	},
	.tags = (const struct tst_tag[]) {
		{"linux-git", "81401cebfc15"},
		{}
	}
};
