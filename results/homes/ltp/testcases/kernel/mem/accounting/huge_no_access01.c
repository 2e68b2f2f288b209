// SPDX-License-Identifier: GPL-2.0-or-later
/*\
 * Verify that Rss of /proc/self/smaps_rollup still counts a transparent huge
 * page after mprotect(PROT_NONE): the page stays resident, and VmRSS counts it.
 */

#include <sys/mman.h>
#include "tst_test.h"

#define HPAGE_SIZE_FILE "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size"

static size_t huge;

static long rollup_kb(const char *format)
{
	long kb;

	SAFE_FILE_LINES_SCANF("/proc/self/smaps_rollup", format, &kb);
	return kb;
}

static void run(void)
{
	long before, after;
	char *p, *region = SAFE_MMAP(NULL, 2 * huge, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	p = (char *)(((uintptr_t)region + huge - 1) & ~(huge - 1));
	if (madvise(p, huge, MADV_HUGEPAGE))
		tst_brk(TCONF | TERRNO, "MADV_HUGEPAGE");
	*p = 1;
	if (rollup_kb("AnonHugePages: %ld kB") < (long)huge / 1024)
		tst_brk(TCONF, "no huge page could be had");

	before = rollup_kb("Rss: %ld kB");
	if (mprotect(p, huge, PROT_NONE))
		tst_brk(TBROK | TERRNO, "mprotect");
	after = rollup_kb("Rss: %ld kB");

	/* The process may touch a few more pages meanwhile, but loses none. */
	TST_EXP_EXPR(after >= before, "Rss with a huge page of PROT_NONE (%ld kB, %ld kB before)",
		     after, before);
	SAFE_MUNMAP(region, 2 * huge);
}

static void setup(void)
{
	if (access(HPAGE_SIZE_FILE, R_OK))
		tst_brk(TCONF, "no transparent huge pages");
	SAFE_FILE_SCANF(HPAGE_SIZE_FILE, "%zu", &huge);
}

static struct tst_test test = {
	.setup = setup,
	.test_all = run,
	.tags = (const struct tst_tag[]) {
		{"linux-git", "8b9c1cc0418a"},
		{}
	}
};
